import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AcceptsQuery, MessageIdQuery, normalizeMessageId, ApiErrors, Sample } from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { MessagesService } from './messages.service';
import { AccountRecord, Balance, Done, MarkReadRequest, MessageLog, StatusRecord } from './records.dto';

@ChatappApi('Messages')
@Controller(['chatapp', 'api/chatapp'])
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('status')
  @RequireScope('chatapp:read')
  @Sample({ values: { id: { create: '/chatapp/send' } } })
  @ApiOperation({ operationId: 'getChatappStatus', summary: 'Get the status of a message' })
  @AcceptsQuery(normalizeMessageId)
  @ApiResponse({ status: 200, type: StatusRecord })
  @ApiErrors('INVALID_REQUEST', 'NOT_FOUND')
  status(@Caller() caller: Tenant, @Query() { id }: MessageIdQuery): Promise<StatusRecord> {
    return this.messages.status(caller, id);
  }

  @Get('messages')
  @RequireScope('chatapp:read')
  @ApiOperation({
    operationId: 'listChatappMessages',
    summary: 'List the 200 most recent inbound and outbound messages',
  })
  @ApiResponse({ status: 200, type: MessageLog })
  log(@Caller() caller: Tenant): Promise<MessageLog> {
    return this.messages.log(caller);
  }

  @Post('mark-read')
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @Sample({
    body: { messageId: '01941f29-7c00-7000-8000-000000000002' },
    values: { messageId: { get: '/chatapp/messages', match: '"direction":"inbound"', field: 'chatappMessageId' } },
  })
  @ApiOperation({ operationId: 'markChatappRead', summary: 'Mark an inbound message as read' })
  @ApiResponse({ status: 200, type: Done })
  @ApiErrors(
    'INVALID_REQUEST',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'CHATAPP_NOT_CONFIGURED',
    'CHATAPP_REQUEST_INVALID',
    'CHATAPP_RATE_LIMITED',
    'CHATAPP_UPSTREAM',
  )
  markRead(@Caller() caller: Tenant, @Body() { messageId }: MarkReadRequest): Promise<Done> {
    return this.messages.markRead(caller, messageId);
  }

  @Get('account')
  @RequireScope('chatapp:read')
  @ApiOperation({ operationId: 'getChatappAccount', summary: 'Get the sending status and the credit balance' })
  @ApiResponse({ status: 200, type: AccountRecord })
  @ApiErrors('NO_WORKSPACE')
  account(@Caller() caller: Tenant): Promise<AccountRecord> {
    return this.messages.account(caller);
  }

  @Get('balance')
  @RequireScope('chatapp:read')
  @ApiOperation({ operationId: 'getChatappBalance', summary: 'Get the chat-app credit balance of the workspace' })
  @ApiResponse({ status: 200, type: Balance })
  @ApiErrors('NO_WORKSPACE')
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
