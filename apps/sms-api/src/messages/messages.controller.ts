import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import {
  AcceptsQuery,
  MessageIdQuery,
  normalizeMessageId,
  ApiErrors,
  RequestId,
  Sample,
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
  @Sample({ values: { id: { create: '/sms/send', field: 'messageId' } } })
  @ApiOperation({ operationId: 'getSmsStatus', summary: 'Get the status of a message' })
  @AcceptsQuery(normalizeMessageId)
  @ApiResponse({ status: 200, type: StatusRecord })
  @ApiErrors('INVALID_REQUEST', 'NOT_FOUND')
  status(@Caller() caller: Tenant, @Query() { id }: MessageIdQuery): Promise<StatusRecord> {
    return this.messages.status(caller, id);
  }

  @Post('cancel')
  @HttpCode(200)
  @RequireScope('sms:send')
  @Sample({
    values: { id: { create: '/sms/send', with: { scheduledAt: '2099-12-31T09:00:00Z' }, field: 'messageId' } },
  })
  @ApiOperation({
    operationId: 'cancelSms',
    summary: 'Cancel a scheduled message and refund its credits',
  })
  @AcceptsQuery(normalizeMessageId)
  @ApiResponse({ status: 200, type: StatusRecord })
  @ApiErrors('INVALID_REQUEST', 'NOT_FOUND', 'NOT_CANCELABLE')
  cancel(
    @Caller() caller: Tenant,
    @Query() { id }: MessageIdQuery,
    @RequestId() requestId: string,
  ): Promise<StatusRecord> {
    return this.messages.cancel(caller, id, requestId);
  }

  @Get('balance')
  @RequireScope('sms:read')
  @ApiOperation({ operationId: 'getSmsBalance', summary: 'Get the SMS balance of the workspace' })
  @ApiResponse({ status: 200, type: Balance })
  @ApiErrors('NO_WORKSPACE')
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
