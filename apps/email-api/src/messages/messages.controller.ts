import { Controller, Get, Post, Query, UseGuards } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import {
  AcceptsQuery,
  MessageIdQuery,
  normalizeMessageId,
  RequestId,
  MessagingOperation,
} from '@heliograph/service-kit';
import { EmailApi } from '../email-api.openapi';
import { MessagesService } from './messages.service';
import { Balance, DeliveryReport } from './records.dto';
import { SenderRoleGuard } from './sender-role.guard';

@EmailApi('Messages')
@Controller(['email', 'api/email'])
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('status')
  @RequireScope('email:read')
  @AcceptsQuery(normalizeMessageId)
  @MessagingOperation({
    id: 'getEmailStatus',
    summary: 'Get the status and the events of a send',

    description: 'Contains deliveries, opens, clicks, bounces and complaints of every recipient.',
    response: DeliveryReport,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
    sample: { values: { id: { create: '/email/send' } } },
  })
  status(@Caller() caller: Tenant, @Query() { id }: MessageIdQuery): Promise<DeliveryReport> {
    return this.messages.report(caller, id);
  }

  @Post('cancel')
  @RequireScope('email:send')
  @UseGuards(SenderRoleGuard)
  @AcceptsQuery(normalizeMessageId)
  @MessagingOperation({
    id: 'cancelEmail',
    summary: 'Cancel a scheduled send and refund its credits',

    description: 'Only a send with the status `scheduled` can be canceled; otherwise it is 409 `NOT_CANCELABLE`.',
    response: DeliveryReport,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NOT_CANCELABLE'],
    sample: { values: { id: { create: '/email/send', with: { scheduledAt: '2099-12-31T09:00:00Z' } } } },
  })
  cancel(
    @Caller() caller: Tenant,
    @Query() { id }: MessageIdQuery,
    @RequestId() requestId: string,
  ): Promise<DeliveryReport> {
    return this.messages.cancel(caller, id, requestId);
  }

  @Get('balance')
  @RequireScope('email:read')
  @MessagingOperation({
    id: 'getEmailBalance',
    summary: 'Get the email credit balance of the workspace',

    description: 'Returns the balance of the workspace of the key, or of the oldest active workspace.',
    response: Balance,
    errors: ['NO_WORKSPACE'],
  })
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
