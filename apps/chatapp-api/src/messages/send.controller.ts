import { Controller, Get, Head, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExcludeEndpoint, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { readIdempotencyKey } from '@heliograph/idempotency';
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
} from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { SendingSwitches } from '../switches/sending-switches';
import { SendResponse } from './records.dto';
import { fieldsFromForm, FIELD_NAMES, type SendFields } from './send-request';
import { SEND_REQUEST_SCHEMA } from './send-request.openapi';
import { SendService } from './send.service';

const MAX_BODY_BYTES = 1_000_000;
const FORM = 'application/x-www-form-urlencoded';

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

/** The three ways to send: JSON, form and query string. */
@ChatappApi('Send')
@Controller(['chatapp', 'api/chatapp'])
export class SendController {
  constructor(
    private readonly sends: SendService,
    private readonly switches: SendingSwitches,
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

  /** Without this route Express would answer HEAD through the GET handler and send a message. */
  @Head('send')
  @RequireScope('chatapp:send')
  @ApiExcludeEndpoint()
  head(): never {
    throw new AppError('METHOD_NOT_ALLOWED', 'Use GET or POST on this path.', { headers: { Allow: 'GET, POST' } });
  }

  @Get('send')
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'sendChatappByQuery', summary: 'Send a text or template message with query parameters' })
  @TakesIdempotencyKey()
  @ApiQuery({ name: 'to', required: true, type: String, description: aliasesOf('to') })
  @ApiQuery({ name: 'text', required: false, type: String, description: aliasesOf('text') })
  @ApiQuery({ name: 'type', required: false, enum: ['text', 'template'] })
  @ApiQuery({ name: 'template', required: false, type: String, description: 'Template name' })
  @ApiQuery({ name: 'language', required: false, type: String, description: 'Template language; defaults to en_US' })
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
    const { body, replayed } = await this.sends.sendOnce(caller, fields, requestIdOf(response), key);
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return body;
  }
}

function aliasesOf(field: keyof typeof FIELD_NAMES): string {
  return `Aliases: ${FIELD_NAMES[field].slice(1).join(', ')}`;
}
