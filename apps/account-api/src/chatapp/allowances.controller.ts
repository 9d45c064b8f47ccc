import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { ApiData, OPERATOR_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
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
@ApiErrors(...OPERATOR_ERRORS)
@Controller('api/platform/chatapp/allowances')
export class ChatappAllowancesController {
  constructor(private readonly allowances: ChatappAllowancesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listChatappAllowances',
    summary: 'List past, current and future allowances of free chat-app messages',
  })
  @ApiData(ChatappAllowancePage)
  async list(@ValidatedQuery(ChatappAllowanceQuery) query: ChatappAllowanceQuery): Promise<ChatappAllowancePage> {
    const { items, next } = await this.allowances.list(pageOf(query), query);
    return { allowances: items.map((allowance) => ChatappAllowanceRecord.of(allowance)), ...nextCursor(next) };
  }

  @Post()
  @ApiOperation({
    operationId: 'createChatappAllowance',
    summary: 'Set the allowance of a category from now or from a later time',
  })
  @ApiIdempotentBody(CreateChatappAllowanceRequest)
  @ApiData(OneChatappAllowance, 201)
  @ApiErrors('NAME_TAKEN')
  async create(
    @JsonBody(CreateChatappAllowanceRequest) body: CreateChatappAllowanceRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneChatappAllowance> {
    return { allowance: await this.allowances.create(write, body) };
  }

  @Patch(':allowanceId')
  @ApiOperation({ operationId: 'changeChatappAllowance', summary: 'Update a future allowance' })
  @ApiIdempotentBody(ChangeChatappAllowanceRequest)
  @ApiData(OneChatappAllowance)
  @ApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  async update(
    @Param('allowanceId') id: string,
    @JsonBody(ChangeChatappAllowanceRequest) body: ChangeChatappAllowanceRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneChatappAllowance> {
    return { allowance: await this.allowances.update(write, id, body) };
  }

  @Delete(':allowanceId')
  @ApiOperation({ operationId: 'removeChatappAllowance', summary: 'Delete a future allowance' })
  @ApiData(OneChatappAllowance)
  @ApiErrors('STATE_CONFLICT')
  async remove(
    @Param('allowanceId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneChatappAllowance> {
    return { allowance: await this.allowances.remove(write, id) };
  }
}
