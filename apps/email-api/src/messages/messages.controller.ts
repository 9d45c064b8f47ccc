import { Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
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
  @Sample({ values: { id: { create: '/email/send' } } })
  @ApiOperation({ operationId: 'getEmailStatus', summary: 'Get the status and the events of a send' })
  @AcceptsQuery(normalizeMessageId)
  @ApiResponse({ status: 200, type: DeliveryReport })
  @ApiErrors('INVALID_REQUEST', 'NOT_FOUND')
  status(@Caller() caller: Tenant, @Query() { id }: MessageIdQuery): Promise<DeliveryReport> {
    return this.messages.report(caller, id);
  }

  @Post('cancel')
  @HttpCode(200)
  @RequireScope('email:send')
  @UseGuards(SenderRoleGuard)
  @Sample({ values: { id: { create: '/email/send', with: { scheduledAt: '2099-12-31T09:00:00Z' } } } })
  @ApiOperation({ operationId: 'cancelEmail', summary: 'Cancel a scheduled send and refund its credits' })
  @AcceptsQuery(normalizeMessageId)
  @ApiResponse({ status: 200, type: DeliveryReport })
  @ApiErrors('INVALID_REQUEST', 'NOT_FOUND', 'NOT_CANCELABLE')
  cancel(
    @Caller() caller: Tenant,
    @Query() { id }: MessageIdQuery,
    @RequestId() requestId: string,
  ): Promise<DeliveryReport> {
    return this.messages.cancel(caller, id, requestId);
  }

  @Get('balance')
  @RequireScope('email:read')
  @ApiOperation({ operationId: 'getEmailBalance', summary: 'Get the email credit balance of the workspace' })
  @ApiResponse({ status: 200, type: Balance })
  @ApiErrors('NO_WORKSPACE')
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
