import { Controller, Get, Head, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExcludeEndpoint, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { fingerprint, IdempotencyService, readIdempotencyKey, type IdempotentCall } from '@heliograph/idempotency';
import {
  asRefusal,
  decodeText,
  parseQueryString,
  parseUrlEncoded,
  queryStringOf,
  readBody,
  readJsonFields,
  Refusals,
  requestIdOf,
  TakesIdempotencyKey,
} from '@heliograph/platform';
import { ChatappApi } from '../chatapp-api.openapi';
import { SendingSwitches } from '../switches/sending-switches';
import { MessagesRepository } from './messages.repository';
import { SendResponse } from './records.dto';
import { fieldsFromForm, FIELD_NAMES, toSendRequest, type SendFields } from './send-request';
import { SEND_REQUEST_SCHEMA } from './send-request.openapi';
import { SendService } from './send.service';

const MAX_BODY_BYTES = 1_000_000;
const FORM = 'application/x-www-form-urlencoded';
const ENDPOINT = 'chatapp.send';

const SEND_REFUSALS = [
  'CHATAPP_DISABLED',
  'CHATAPP_NOT_CONFIGURED',
  'INVALID_REQUEST',
  'INVALID_RECIPIENT',
  'UNSUPPORTED_TYPE',
  'MISSING_TEXT',
  'MISSING_TEMPLATE',
  'MISSING_MEDIA',
  'MISSING_INTERACTIVE',
  'INVALID_CATEGORY',
  'CHATAPP_REQUEST_INVALID',
  'NO_WORKSPACE',
  'RECIPIENT_OPTED_OUT',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
  'INSUFFICIENT_CREDITS',
  'PAYLOAD_TOO_LARGE',
  'CHATAPP_RATE_LIMITED',
  'CHATAPP_UPSTREAM',
] as const;

/** The three styles of sending: JSON, form and query string. */
@ChatappApi('Send')
@Controller(['chatapp', 'api/chatapp'])
export class SendController {
  constructor(
    @Inject(SendService) private readonly sends: SendService,
    @Inject(SendingSwitches) private readonly switches: SendingSwitches,
    @Inject(MessagesRepository) private readonly messages: MessagesRepository,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
  ) {}

  @Post('send')
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'sendChatapp', summary: 'Send a message' })
  @TakesIdempotencyKey()
  @ApiConsumes('application/json', FORM)
  @ApiBody({ required: true, schema: SEND_REQUEST_SCHEMA })
  @ApiResponse({ status: 200, type: SendResponse })
  @Refusals(...SEND_REFUSALS)
  async post(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SendResponse> {
    await this.switches.assertSending();
    const { mediaType, bytes } = await readBody(request, response, MAX_BODY_BYTES);
    const fields = asRefusal(() =>
      mediaType === FORM ? fieldsFromForm(parseUrlEncoded(bytes)) : readJsonFields(decodeText(bytes)),
    );
    return this.take(caller, request, response, fields);
  }

  /** Express would answer HEAD through the GET handler, and so send a message. */
  @Head('send')
  @RequireScope('chatapp:send')
  @ApiExcludeEndpoint()
  head(): never {
    throw new AppError('METHOD_NOT_ALLOWED', 'Use GET or POST on this path.', { headers: { Allow: 'GET, POST' } });
  }

  @Get('send')
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'sendChatappByQuery', summary: 'Send a text or a template, every field a parameter' })
  @TakesIdempotencyKey()
  @ApiQuery({ name: 'to', required: true, type: String, description: aliasesOf('to') })
  @ApiQuery({ name: 'text', required: false, type: String, description: aliasesOf('text') })
  @ApiQuery({ name: 'type', required: false, enum: ['text', 'template'] })
  @ApiQuery({ name: 'template', required: false, type: String, description: 'The name of a template' })
  @ApiQuery({ name: 'language', required: false, type: String, description: 'Of the template; en_US by default' })
  @ApiQuery({ name: 'category', required: false, enum: ['marketing', 'utility', 'authentication'] })
  @ApiResponse({ status: 200, type: SendResponse })
  @Refusals(...SEND_REFUSALS)
  async get(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SendResponse> {
    await this.switches.assertSending();
    const fields = asRefusal(() => fieldsFromForm(parseQueryString(queryStringOf(request))));
    return this.take(caller, request, response, fields);
  }

  private async take(caller: Tenant, request: Request, response: Response, fields: SendFields): Promise<SendResponse> {
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const call: IdempotentCall | null =
      key === undefined ? null : { callerId: caller.keyId, endpoint: ENDPOINT, key, fingerprint: fingerprint(fields) };
    const { body, replayed } = await this.idempotency.run<SendResponse>(
      call,
      async (claimed) => this.sends.send(caller, toSendRequest(fields), requestIdOf(response), claimed),
      (stored) => this.recall(stored, call),
    );
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return body;
  }

  /** The first answer; where the process died before it had one, what has become known of the message since. */
  private async recall(stored: object, call: IdempotentCall | null): Promise<SendResponse> {
    const { pending } = stored as { pending?: string };
    if (pending === undefined) return stored as SendResponse;
    const settled = await this.messages.answerOf(pending);
    if (typeof settled === 'object') return settled;
    // It failed without a word from the platform, and was refunded: the next call with this key is a first one.
    if (settled === 'failed' && call) await this.idempotency.forget(call, pending);
    throw new AppError(
      'IDEMPOTENCY_IN_PROGRESS',
      settled === 'failed'
        ? 'The first call with this Idempotency-Key failed and was refunded. Send it again.'
        : 'The first call with this Idempotency-Key has no answer yet. Try again shortly.',
      { retryAfterSeconds: 1 },
    );
  }
}

function aliasesOf(field: keyof typeof FIELD_NAMES): string {
  return `Aliases: ${FIELD_NAMES[field].slice(1).join(', ')}`;
}
