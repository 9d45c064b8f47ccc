import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { queryIdOf, Refusals, requestIdOf } from '@heliograph/service-kit';
import { EmailApi } from '../email-api.openapi';
import { MessagesService } from './messages.service';
import { Balance, DeliveryReport } from './records.dto';
import { refuseViewers } from './viewers';

const ID = { name: 'id', required: true, type: String, description: 'Id of the send. Alias: messageId' };

@EmailApi('Messages')
@Controller(['email', 'api/email'])
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('status')
  @RequireScope('email:read')
  @ApiOperation({ operationId: 'getEmailStatus', summary: 'Get the status and the events of a send' })
  @ApiQuery(ID)
  @ApiResponse({ status: 200, type: DeliveryReport })
  @Refusals('INVALID_REQUEST', 'NOT_FOUND')
  status(@Caller() caller: Tenant, @Req() request: Request): Promise<DeliveryReport> {
    return this.messages.report(caller, queryIdOf(request));
  }

  @Post('cancel')
  @HttpCode(200)
  @RequireScope('email:send')
  @ApiOperation({
    operationId: 'cancelEmail',
    summary: 'Cancel a scheduled send and refund its credits',
  })
  @ApiQuery(ID)
  @ApiResponse({ status: 200, type: DeliveryReport })
  @Refusals('INVALID_REQUEST', 'NOT_FOUND', 'NOT_CANCELABLE')
  cancel(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryReport> {
    refuseViewers(caller);
    return this.messages.cancel(caller, queryIdOf(request), requestIdOf(response));
  }

  @Get('balance')
  @RequireScope('email:read')
  @ApiOperation({ operationId: 'getEmailBalance', summary: 'Get the email credit balance of the workspace' })
  @ApiResponse({ status: 200, type: Balance })
  @Refusals('NO_WORKSPACE')
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
