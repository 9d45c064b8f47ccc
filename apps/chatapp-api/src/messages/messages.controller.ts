import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AcceptsQuery, MessageIdQuery, normalizeMessageId, MessagingOperation } from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { MessagesService } from './messages.service';
import { AccountRecord, Balance, Done, MarkReadRequest, MessageLog, StatusRecord } from './records.dto';

@ChatappApi('Messages')
@Controller(['chatapp', 'api/chatapp'])
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('status')
  @RequireScope('chatapp:read')
  @AcceptsQuery(normalizeMessageId)
  @MessagingOperation({
    id: 'getChatappStatus',
    summary: 'Get the status of a message',

    description: 'Contains the times at which the message was sent, delivered and read.',
    response: StatusRecord,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
    sample: { values: { id: { create: '/chatapp/send' } } },
  })
  status(@Caller() caller: Tenant, @Query() { id }: MessageIdQuery): Promise<StatusRecord> {
    return this.messages.status(caller, id);
  }

  @Get('messages')
  @RequireScope('chatapp:read')
  @MessagingOperation({
    id: 'listChatappMessages',
    summary: 'List the 200 most recent inbound and outbound messages',

    description: 'For a log in a support tool. Reports contain all messages.',
    response: MessageLog,
  })
  log(@Caller() caller: Tenant): Promise<MessageLog> {
    return this.messages.log(caller);
  }

  @Post('mark-read')
  @RequireScope('chatapp:send')
  @MessagingOperation({
    id: 'markChatappRead',
    summary: 'Mark an inbound message as read',

    description:
      'The person sees that the message was read. `messageId` is the id of the provider in the inbound message.',
    response: Done,
    errors: [
      'INVALID_REQUEST',
      'NOT_FOUND',
      'PAYLOAD_TOO_LARGE',
      'CHATAPP_NOT_CONFIGURED',
      'CHATAPP_REQUEST_INVALID',
      'CHATAPP_RATE_LIMITED',
      'CHATAPP_UPSTREAM',
    ],
    sample: {
      body: { messageId: '01941f29-7c00-7000-8000-000000000002' },
      values: { messageId: { get: '/chatapp/messages', match: '"direction":"inbound"', field: 'chatappMessageId' } },
    },
  })
  markRead(@Caller() caller: Tenant, @Body() { messageId }: MarkReadRequest): Promise<Done> {
    return this.messages.markRead(caller, messageId);
  }

  @Get('account')
  @RequireScope('chatapp:read')
  @MessagingOperation({
    id: 'getChatappAccount',
    summary: 'Get the sending status and the credit balance',

    description: 'Check it before a send: it says whether sending is enabled and configured.',
    response: AccountRecord,
    errors: ['NO_WORKSPACE'],
  })
  account(@Caller() caller: Tenant): Promise<AccountRecord> {
    return this.messages.account(caller);
  }

  @Get('balance')
  @RequireScope('chatapp:read')
  @MessagingOperation({
    id: 'getChatappBalance',
    summary: 'Get the chat-app credit balance of the workspace',

    description: 'Returns the balance in minor units of the credit currency.',
    response: Balance,
    errors: ['NO_WORKSPACE'],
  })
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
