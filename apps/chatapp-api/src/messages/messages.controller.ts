import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { asRefusal, decodeText, queryIdOf, readBody, readJsonFields, Refusals } from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { MessagesService } from './messages.service';
import { AccountRecord, Balance, Done, MarkReadRequest, MessageLog, StatusRecord } from './records.dto';

const MAX_BODY_BYTES = 1_000_000;

@ChatappApi('Messages')
@Controller(['chatapp', 'api/chatapp'])
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('status')
  @RequireScope('chatapp:read')
  @ApiOperation({ operationId: 'getChatappStatus', summary: 'Get the status of a message' })
  @ApiQuery({
    name: 'id',
    required: true,
    type: String,
    description: 'The id of the message here or at the provider. Alias: messageId',
  })
  @ApiResponse({ status: 200, type: StatusRecord })
  @Refusals('INVALID_REQUEST', 'NOT_FOUND')
  status(@Caller() caller: Tenant, @Req() request: Request): Promise<StatusRecord> {
    return this.messages.status(caller, queryIdOf(request));
  }

  @Get('messages')
  @RequireScope('chatapp:read')
  @ApiOperation({ operationId: 'listChatappMessages', summary: 'List the 200 most recent messages in both directions' })
  @ApiResponse({ status: 200, type: MessageLog })
  log(@Caller() caller: Tenant): Promise<MessageLog> {
    return this.messages.log(caller);
  }

  @Post('mark-read')
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'markChatappRead', summary: 'Mark an inbound message as read' })
  @ApiBody({ required: true, type: MarkReadRequest })
  @ApiResponse({ status: 200, type: Done })
  @Refusals(
    'INVALID_REQUEST',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'CHATAPP_NOT_CONFIGURED',
    'CHATAPP_REQUEST_INVALID',
    'CHATAPP_RATE_LIMITED',
    'CHATAPP_UPSTREAM',
  )
  async markRead(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Done> {
    const { bytes } = await readBody(request, response, MAX_BODY_BYTES);
    const { messageId } = asRefusal(() => readJsonFields(decodeText(bytes)));
    if (typeof messageId !== 'string' || messageId === '' || messageId.includes('\0') || !messageId.isWellFormed()) {
      throw new AppError('INVALID_REQUEST', 'messageId must be the chatappMessageId of an inbound message.');
    }
    return this.messages.markRead(caller, messageId);
  }

  @Get('account')
  @RequireScope('chatapp:read')
  @ApiOperation({ operationId: 'getChatappAccount', summary: 'Get the sending status and the credit balance' })
  @ApiResponse({ status: 200, type: AccountRecord })
  @Refusals('NO_WORKSPACE')
  account(@Caller() caller: Tenant): Promise<AccountRecord> {
    return this.messages.account(caller);
  }

  @Get('balance')
  @RequireScope('chatapp:read')
  @ApiOperation({ operationId: 'getChatappBalance', summary: 'Get the chat-app credit balance of the workspace' })
  @ApiResponse({ status: 200, type: Balance })
  @Refusals('NO_WORKSPACE')
  balance(@Caller() caller: Tenant): Promise<Balance> {
    return this.messages.balance(caller);
  }
}
