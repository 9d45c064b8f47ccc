import { Body, Controller, Get, Headers, Inject, Post } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import {
  AcceptsBody,
  AdmittedByService,
  CONFIG,
  HttpResult,
  Public,
  RawQuery,
  RequestId,
  MessagingOperation,
} from '@heliograph/service-kit';
import { HUB_SIGNATURE_HEADER } from '@heliograph/secrets';
import type { ChatappHookConfig } from '../chatapp-hook.config';
import { readHandshake } from './read-handshake';
import { ReceiveService } from './receive.service';
import { Envelope, Taken } from './webhook.dto';

/** The provider sends bodies of up to 3 MB. */
const MAX_BODY_BYTES = 4_000_000;

@ApiTags('Webhook')
@Public()
@Controller('api/chatapp/webhook')
export class WebhookController {
  constructor(
    private readonly updates: ReceiveService,
    @Inject(CONFIG) private readonly config: ChatappHookConfig,
  ) {}

  @Get()
  @ApiQuery({ name: 'hub.mode', enum: ['subscribe'] })
  @ApiQuery({ name: 'hub.verify_token', type: String })
  @ApiQuery({ name: 'hub.challenge', type: String })
  @ApiResponse({
    status: 200,
    description: 'The unchanged value of `hub.challenge`',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  @MessagingOperation({
    id: 'verifyChatappWebhook',
    summary: 'Verify the webhook endpoint (handshake)',
    description: 'The provider calls it when the endpoint is configured. The response repeats `hub.challenge`.',
    errors: ['FORBIDDEN', 'INTERNAL_ERROR'],
    sample: {
      query: { 'hub.challenge': '1158201444' },
      values: { 'hub.verify_token': { given: 'the value of the setting CHATAPP_VERIFY_TOKEN' } },
    },
  })
  // Every query string that is no handshake is refused with 403, so the query string is not parsed before.
  verify(@RawQuery() query: string): HttpResult<string> {
    const challenge = readHandshake(query, this.config.CHATAPP_VERIFY_TOKEN);
    if (challenge === null) {
      throw new AppError(
        'FORBIDDEN',
        'hub.mode must be subscribe and hub.verify_token must equal CHATAPP_VERIFY_TOKEN, each exactly once.',
      );
    }
    // Plain text, because the caller controls the content: a browser must not interpret it as HTML.
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
    return new HttpResult({ headers, body: challenge });
  }

  @Post()
  @AdmittedByService()
  @ApiHeader({
    name: HUB_SIGNATURE_HEADER,
    required: true,
    description: 'Signature of the body: `sha256=` and the HMAC-SHA256 in hexadecimal',
  })
  @AcceptsBody({ maxBytes: MAX_BODY_BYTES, bytes: (body) => body })
  @ApiBody({ type: Envelope })
  @MessagingOperation({
    id: 'receiveChatappUpdates',
    summary: 'Receive messages and statuses from the provider',
    description: 'The body is signed with the app secret. The provider repeats calls that are not 200.',
    response: Taken,
    errors: [
      'SIGNATURE_INVALID',
      'INVALID_PAYLOAD',
      'INVALID_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'SERVICE_UNAVAILABLE',
      'INTERNAL_ERROR',
    ],
    sample: {
      values: {
        [HUB_SIGNATURE_HEADER]: {
          run: `printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$APP_SECRET" | sed 's/.* /sha256=/'`,
        },
      },
      before: ['# APP_SECRET: the value of the setting CHATAPP_APP_SECRET'],
    },
  })
  async receive(
    @Headers(HUB_SIGNATURE_HEADER) signature: string | undefined,
    @Body() body: Buffer,
    @RequestId() requestId: string,
  ): Promise<Taken> {
    await this.updates.receive(signature, body, requestId);
    return { ok: true };
  }
}
