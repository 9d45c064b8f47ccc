import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Headers, Ip, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import { AdmittedByService, RequestId, V1Operation, type V1List } from '@heliograph/service-kit';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { ChannelCalls } from '../../channels/channel-calls/channel-calls.service';
import { V1Api } from '../../developer/reference/v1-api';
import {
  V1LoggedMessage,
  V1LoggedMessageDetails,
  V1LoggedMessages,
  V1MessageLogQuery,
  V1ResentMessage,
} from './message-log.dto';
import { MessageLogService } from './message-log.service';
import { MessageStreams } from './message-streams.service';

type Sent = Omit<V1ResentMessage, 'channel'>;

@V1Api('v1: messages')
@Controller('api/v1/messages')
export class V1MessageLogController {
  constructor(
    private readonly messages: MessageLogService,
    private readonly streams: MessageStreams,
    private readonly channels: ChannelCalls,
  ) {}

  @Get()
  @RequireV1Permission('messages:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListMessages',
    summary: 'List the messages of all channels, newest first',
    description:
      'Contains SMS, emails and chat-app messages with the fields that they have in common. The lists of the channels have further ' +
      'fields. A page examines a bounded number of messages, so the response is fast also for a filter with few matches: it can ' +
      'contain fewer messages than `limit`, also none, and still have a `next_cursor`.',
    response: V1LoggedMessages,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: V1MessageLogQuery): Promise<V1List<V1LoggedMessage>> {
    return this.messages.list(caller, query);
  }

  @Get('stream')
  @AdmittedByService()
  @RequireV1Permission('messages:read', { boundKeys: true })
  @ApiResponse({ status: 200, content: { 'text/event-stream': { schema: { type: 'string' } } } })
  @V1Operation({
    id: 'v1StreamMessages',
    summary: 'Stream new and changed messages of all channels as Server-Sent Events',
    description:
      'The event `open` is sent first. The event `message` contains `{message}` with the fields of the list, when a message is accepted ' +
      'and when its status changes. Events before the connection are not sent: read the list after `open`, and again after ' +
      '`refresh`, which says that events were left out. A comment is sent at least every 15 seconds. The stream ends after ' +
      '10 minutes; connect again.',
    errors: ['RATE_LIMITED'],
  })
  async stream(
    @CurrentCaller() { organizationId, boundWorkspaceId }: Caller,
    // The response is used directly, because Nest's `@Sse()` supports neither heartbeats nor back-pressure.
    @Res() response: ServerResponse,
    @Req() { method }: IncomingMessage,
  ): Promise<void> {
    // Express passes HEAD requests to this handler, too. Their connection would stay open.
    if (method === 'HEAD')
      throw new AppError('METHOD_NOT_ALLOWED', 'Use GET on this path.', { headers: { Allow: 'GET' } });
    await this.streams.open(organizationId, boundWorkspaceId, response);
  }

  @Get(':messageId')
  @RequireV1Permission('messages:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetMessage',
    summary: 'Get a message of any channel with its content',
    description:
      'Contains the content as long as it is stored, and a send with the same content in `repeat`. ' +
      'The timeline of the message says what happened to it.',
    response: V1LoggedMessageDetails,
    errors: ['NOT_FOUND'],
    sample: { values: { messageId: { create: '/api/v1/sms/send' } } },
  })
  read(@CurrentCaller() caller: Caller, @Param('messageId') id: string): Promise<V1LoggedMessageDetails> {
    return this.messages.read(caller, id);
  }

  @Post(':messageId/resend')
  @AdmittedByService()
  @RequireV1Permission('messages:read', { boundKeys: true })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'A repeated call with the same key returns the response of the first one and sends nothing',
  })
  @V1Operation({
    id: 'v1ResendMessage',
    summary: 'Send an SMS or email again',
    description:
      'Sends the content of the message to its recipients as a new message, with all checks and the price of a send. The ' +
      'caller needs the same permission and scope as for the send in `repeat` of the message.',
    response: V1ResentMessage,
    status: 202,
    errors: [
      'INVALID_REQUEST',
      'NOT_FOUND',
      'INSUFFICIENT_CREDITS',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
    sample: { values: { messageId: { create: '/api/v1/sms/send' } } },
  })
  async resend(
    @CurrentCaller() caller: Caller,
    @Param('messageId') id: string,
    @Headers() headers: IncomingHttpHeaders,
    @Ip() address: string | undefined,
    @RequestId() requestId: string,
  ): Promise<V1ResentMessage> {
    const { repeat, channel } = await this.messages.read(caller, id);
    if (!repeat) {
      throw new AppError(
        'INVALID_REQUEST',
        'The message cannot be sent again, because it was received, its content is not stored, or it has attachments.',
      );
    }
    const key = headers['idempotency-key'];
    const sent = await this.channels.post<Sent>(
      channel,
      repeat.path,
      repeat.body,
      { headers, address, requestId },
      typeof key === 'string' ? key : undefined,
    );
    const { id: newId, status, credits_cost, credits_remaining } = sent;
    return { id: newId, channel, status, credits_cost, credits_remaining };
  }
}
