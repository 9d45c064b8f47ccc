import { Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { Answers, OPERATOR_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import {
  ChangeChatappAllowanceRequest,
  ChatappAllowancePage,
  ChatappAllowanceQuery,
  ChatappAllowanceRecord,
  CreateChatappAllowanceRequest,
  OneChatappAllowance,
} from './allowances.dto';
import { ChatappAllowancesService } from './allowances.service';

@ApiTags('Platform operator')
@RequireOperator()
@RefusesWith(...OPERATOR_REFUSALS)
@Controller('api/platform/chatapp/allowances')
export class ChatappAllowancesController {
  constructor(@Inject(ChatappAllowancesService) private readonly allowances: ChatappAllowancesService) {}

  @Get()
  @ApiOperation({ operationId: 'listChatappAllowances', summary: 'Which chat-app messages are free, were and will be' })
  @Answers(ChatappAllowancePage)
  async list(@QueryOf(ChatappAllowanceQuery) query: ChatappAllowanceQuery): Promise<ChatappAllowancePage> {
    const { items, next } = await this.allowances.list(pageOf(query), query);
    return { allowances: items.map((allowance) => ChatappAllowanceRecord.of(allowance)), ...nextCursor(next) };
  }

  @Post()
  @ApiOperation({
    operationId: 'createChatappAllowance',
    summary: 'Sets what is free of a category, from now or a moment on',
  })
  @TakesBodyOnce(CreateChatappAllowanceRequest)
  @Answers(OneChatappAllowance, 201)
  @RefusesWith('NAME_TAKEN')
  async create(
    @JsonBody(CreateChatappAllowanceRequest) asked: CreateChatappAllowanceRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneChatappAllowance> {
    return { allowance: await this.allowances.create(call, asked) };
  }

  @Patch(':allowanceId')
  @ApiOperation({ operationId: 'changeChatappAllowance', summary: 'Changes an allowance that is to come' })
  @TakesBodyOnce(ChangeChatappAllowanceRequest)
  @Answers(OneChatappAllowance)
  @RefusesWith('NAME_TAKEN', 'STATE_CONFLICT')
  async change(
    @Param('allowanceId') id: string,
    @JsonBody(ChangeChatappAllowanceRequest) asked: ChangeChatappAllowanceRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneChatappAllowance> {
    return { allowance: await this.allowances.change(call, id, asked) };
  }

  @Delete(':allowanceId')
  @ApiOperation({ operationId: 'removeChatappAllowance', summary: 'Removes an allowance that is to come' })
  @Answers(OneChatappAllowance)
  @RefusesWith('STATE_CONFLICT')
  async remove(@Param('allowanceId') id: string, @ToWrite() call: WriteCall): Promise<OneChatappAllowance> {
    return { allowance: await this.allowances.remove(call, id) };
  }
}
