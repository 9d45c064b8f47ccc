import { Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { queryIdOf, Refusals, requestIdOf } from '@heliograph/platform';
import { SmsApi } from '../sms-api.openapi';
import { Balance, StatusRecord } from './message-records.dto';
import { MessagesService } from './messages.service';

const ID = { name: 'id', required: true, type: String, description: 'The messageId of the send. Alias: messageId' };

@SmsApi('Messages')
@Controller(['sms', 'api/sms'])
export class MessagesController {
  constructor(@Inject(MessagesService) private readonly messages: MessagesService) {}

  @Get('status')
  @RequireScope('sms:read')
  @ApiOperation({ operationId: 'getSmsStatus', summary: 'What became of a message' })
  @ApiQuery(ID)
  @ApiResponse({ status: 200, type: StatusRecord })
  @Refusals('INVALID_REQUEST', 'NOT_FOUND')
  status(@Caller() caller: Tenant, @Req() request: Request): Promise<StatusRecord> {
    return this.messages.status(caller, queryIdOf(request));
  }

  @Post('cancel')
  @HttpCode(200)
  @RequireScope('sms:send')
  @ApiOperation({
    operationId: 'cancelSms',
    summary: 'Cancel a scheduled message before it leaves, and get its credits back',
  })
  @ApiQuery(ID)
  @ApiResponse({ status: 200, type: StatusRecord })
  @Refusals('INVALID_REQUEST', 'NOT_FOUND', 'NOT_CANCELABLE')
  cancel(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatusRecord> {
    return this.messages.cancel(caller, queryIdOf(request), requestIdOf(response));
  }

  @Get('balance')
  @RequireScope('sms:read')
  @ApiOperation({ operationId: 'getSmsBalance', summary: 'The SMS credits of the workspace' })
  @ApiResponse({ status: 200, type: Balance })
  @Refusals('NO_WORKSPACE')
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
