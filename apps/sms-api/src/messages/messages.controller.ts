import { Controller, Get, Post, Query } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import {
  AcceptsQuery,
  MessageIdQuery,
  normalizeMessageId,
  RequestId,
  MessagingOperation,
} from '@heliograph/service-kit';
import { SmsApi } from '../sms-api.openapi';
import { Balance, StatusRecord } from './message-records.dto';
import { MessagesService } from './messages.service';

@SmsApi('Messages')
@Controller(['sms', 'api/sms'])
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('status')
  @RequireScope('sms:read')
  @AcceptsQuery(normalizeMessageId)
  @MessagingOperation({
    id: 'getSmsStatus',
    summary: 'Get the status of a message',

    description:
      'The status of a sent message changes when a delivery receipt arrives. Use webhooks instead of polling.',
    response: StatusRecord,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
    sample: { values: { id: { create: '/sms/send', field: 'messageId' } } },
  })
  status(@Caller() caller: Tenant, @Query() { id }: MessageIdQuery): Promise<StatusRecord> {
    return this.messages.status(caller, id);
  }

  @Post('cancel')
  @RequireScope('sms:send')
  @AcceptsQuery(normalizeMessageId)
  @MessagingOperation({
    id: 'cancelSms',
    summary: 'Cancel a scheduled message and refund its credits',

    description: 'Only a message with the status `scheduled` can be canceled; otherwise it is 409 `NOT_CANCELABLE`.',
    response: StatusRecord,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NOT_CANCELABLE'],
    sample: {
      values: { id: { create: '/sms/send', with: { scheduledAt: '2099-12-31T09:00:00Z' }, field: 'messageId' } },
    },
  })
  cancel(
    @Caller() caller: Tenant,
    @Query() { id }: MessageIdQuery,
    @RequestId() requestId: string,
  ): Promise<StatusRecord> {
    return this.messages.cancel(caller, id, requestId);
  }

  @Get('balance')
  @RequireScope('sms:read')
  @MessagingOperation({
    id: 'getSmsBalance',
    summary: 'Get the SMS balance of the workspace',

    description: 'Returns the balance of the workspace of the key, or of the oldest active workspace.',
    response: Balance,
    errors: ['NO_WORKSPACE'],
  })
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
