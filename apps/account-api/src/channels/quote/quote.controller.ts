import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Headers, Ip, Post } from '@nestjs/common';
import { ApiBody, ApiProperty } from '@nestjs/swagger';
import { V1Quote } from '@heliograph/credits';
import {
  AcceptsBody,
  AdmittedByService,
  IsOneOf,
  RequestId,
  rule,
  V1Request,
  V1Operation,
} from '@heliograph/service-kit';
import { RequireV1Permission } from '../../access/access.decorators';
import { V1Api } from '../../developer/reference/v1-api';
import { CurrentAccess, CurrentCaller, type Access, type Caller } from '../../access/caller';
import { ReplyQuoteService } from '../../bots-and-inbox/inbox/reply-quote.service';
import { ChannelCalls } from '../channel-calls/channel-calls.service';

const QUOTED_CHANNELS = ['sms', 'email', 'chatapp', 'bots'] as const;
type QuotedChannel = (typeof QUOTED_CHANNELS)[number];
const MAX_BYTES = 10_000_000;

/** The channel, and the body of a send of this channel. */
@V1Request()
export class V1QuoteRequest {
  @ApiProperty({ enum: QUOTED_CHANNELS })
  @IsOneOf('channel', QUOTED_CHANNELS)
  channel: QuotedChannel;

  /** The fields of the send, which the service of the channel checks. */
  @rule('is_send', 'The body must be a JSON object.', (value) => typeof value === 'object' && value !== null)
  send: object;
}

@V1Api('v1: messages')
@Controller('api/v1/quote')
export class V1QuoteController {
  constructor(
    private readonly channels: ChannelCalls,
    private readonly replies: ReplyQuoteService,
  ) {}

  @Post()
  @AdmittedByService()
  @RequireV1Permission('messages:read', { boundKeys: true, evenWhenLocked: true })
  @AcceptsBody({ maxBytes: MAX_BYTES, json: ({ channel, ...send }) => ({ channel, send }) })
  @ApiBody({
    schema: {
      type: 'object',
      required: ['channel'],
      properties: { channel: { type: 'string', enum: [...QUOTED_CHANNELS], description: 'Channel of the send' } },
      additionalProperties: true,
    },
  })
  @V1Operation({
    id: 'v1QuoteMessage',
    summary: 'Check a send of any channel and get its cost without sending',
    description:
      'Send the body of POST /api/v1/sms/send, /api/v1/email/send or /chatapp/send, plus the field `channel`. For the ' +
      'channel `bots`, send `conversation_id` and `message` to check an agent reply; agent replies are free. Nothing is ' +
      'sent, stored or charged. If the send would be refused because of the caller, content, recipient or balance, the ' +
      'response is 200 with the verdict `refused`. A malformed request returns the same error as the send.',
    response: V1Quote,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
    sample: {
      body: {
        channel: 'sms',
        to: '+919876543210',
        sender_id: 'DEMOIN',
        template_id: 'otp',
        variables: { code: '123456' },
      },
    },
  })
  quote(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Body() { channel, send }: V1QuoteRequest,
    @Headers() headers: IncomingHttpHeaders,
    @Ip() address: string | undefined,
    @RequestId() requestId: string,
  ): Promise<V1Quote> {
    if (channel === 'bots') return this.replies.quote(caller, access, send);
    return this.channels.post<V1Quote>(channel, `/api/v1/${channel}/quote`, send, { headers, address, requestId });
  }
}
