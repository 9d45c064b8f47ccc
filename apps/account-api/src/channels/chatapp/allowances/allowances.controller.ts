import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../../../access/access.decorators';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import {
  ChangeChatappAllowanceRequest,
  ChatappAllowancePage,
  ChatappAllowanceQuery,
  CreateChatappAllowanceRequest,
  OneChatappAllowance,
} from './allowances.dto';
import { ChatappAllowancesService } from './allowances.service';

@ApiTags('Platform operator')
@RequireOperator()
@Controller('api/platform/chatapp/allowances')
export class ChatappAllowancesController {
  constructor(private readonly allowances: ChatappAllowancesService) {}

  @Get()
  @AccountOperation({
    id: 'listChatappAllowances',
    summary: 'List past, current and future allowances of free chat-app messages',
    description: 'An allowance is valid until the next one of its category starts.',
    response: ChatappAllowancePage,
  })
  list(@Query() query: ChatappAllowanceQuery): Promise<ChatappAllowancePage> {
    return this.allowances.list(query);
  }

  @Post()
  @IdempotentWrite()
  @AccountOperation({
    id: 'createChatappAllowance',
    summary: 'Set the current or a future allowance of a category',
    description: 'Without `validFrom`, it is valid immediately.',
    status: 201,
    response: OneChatappAllowance,
    errors: ['NAME_TAKEN'],
  })
  create(@Body() body: CreateChatappAllowanceRequest, @CurrentWrite() write: Write): Promise<OneChatappAllowance> {
    return this.allowances.create(write, body);
  }

  @Patch(':allowanceId')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeChatappAllowance',
    summary: 'Update a future allowance',
    description: 'Past and current allowances do not change.',
    response: OneChatappAllowance,
    errors: ['NAME_TAKEN', 'STATE_CONFLICT'],
    sample: {
      body: { isFree: true },
      values: {
        allowanceId: {
          create: '/api/platform/chatapp/allowances',
          body: { category: 'service', isFree: true, validFrom: '2097-01-01T00:00:00Z' },
        },
      },
    },
  })
  update(
    @Param('allowanceId') id: string,
    @Body() body: ChangeChatappAllowanceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneChatappAllowance> {
    return this.allowances.update(write, id, body);
  }

  @Delete(':allowanceId')
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeChatappAllowance',
    summary: 'Delete a future allowance',
    description: 'Past and current allowances cannot be deleted.',
    response: OneChatappAllowance,
    errors: ['STATE_CONFLICT'],
    sample: {
      values: {
        allowanceId: {
          create: '/api/platform/chatapp/allowances',
          body: { category: 'service', isFree: true, validFrom: '2098-01-01T00:00:00Z' },
        },
      },
    },
  })
  remove(@Param('allowanceId') id: string, @CurrentWrite() write: Write): Promise<OneChatappAllowance> {
    return this.allowances.remove(write, id);
  }
}
