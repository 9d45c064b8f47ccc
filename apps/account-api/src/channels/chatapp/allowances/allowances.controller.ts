import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../../../access/access.decorators';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  ChangeChatappAllowanceRequest,
  ChatappAllowancePage,
  ChatappAllowanceQuery,
  CreateChatappAllowanceRequest,
  OneChatappAllowance,
} from './allowances.dto';
import { Sample } from '@heliograph/service-kit';
import { ChatappAllowancesService } from './allowances.service';

@ApiTags('Platform operator')
@RequireOperator()
@Controller('api/platform/chatapp/allowances')
export class ChatappAllowancesController {
  constructor(private readonly allowances: ChatappAllowancesService) {}

  @Get()
  @ApiOperation({
    operationId: 'listChatappAllowances',
    summary: 'List past, current and future allowances of free chat-app messages',
  })
  @ApiData(ChatappAllowancePage)
  list(@Query() query: ChatappAllowanceQuery): Promise<ChatappAllowancePage> {
    return this.allowances.list(query);
  }

  @Post()
  @ApiOperation({
    operationId: 'createChatappAllowance',
    summary: 'Set the current or a future allowance of a category',
  })
  @IdempotentWrite()
  @ApiData(OneChatappAllowance, 201)
  @AccountApiErrors('NAME_TAKEN')
  create(@Body() body: CreateChatappAllowanceRequest, @CurrentWrite() write: Write): Promise<OneChatappAllowance> {
    return this.allowances.create(write, body);
  }

  @Patch(':allowanceId')
  @Sample({
    body: { isFree: true },
    values: {
      allowanceId: {
        create: '/api/platform/chatapp/allowances',
        body: { category: 'service', isFree: true, validFrom: '2097-01-01T00:00:00Z' },
      },
    },
  })
  @ApiOperation({ operationId: 'changeChatappAllowance', summary: 'Update a future allowance' })
  @IdempotentWrite()
  @ApiData(OneChatappAllowance)
  @AccountApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  update(
    @Param('allowanceId') id: string,
    @Body() body: ChangeChatappAllowanceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneChatappAllowance> {
    return this.allowances.update(write, id, body);
  }

  @Delete(':allowanceId')
  @Sample({
    values: {
      allowanceId: {
        create: '/api/platform/chatapp/allowances',
        body: { category: 'service', isFree: true, validFrom: '2098-01-01T00:00:00Z' },
      },
    },
  })
  @ApiOperation({ operationId: 'removeChatappAllowance', summary: 'Delete a future allowance' })
  @IdempotentWrite()
  @ApiData(OneChatappAllowance)
  @AccountApiErrors('STATE_CONFLICT')
  remove(@Param('allowanceId') id: string, @CurrentWrite() write: Write): Promise<OneChatappAllowance> {
    return this.allowances.remove(write, id);
  }
}
