import { Controller, Get, Head, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExcludeEndpoint,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
  ApiExtraModels,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { IdempotencyService } from '@heliograph/idempotency';
import {
  decodeText,
  parseQueryString,
  parseUrlEncoded,
  queryStringOf,
  readBody,
  readJsonFields,
  Refusals,
  TakesIdempotencyKey,
} from '@heliograph/platform';
import { SmsApi } from '../sms-api.openapi';
import { takeSend } from './call';
import { SendResponse } from './message-records.dto';
import { fieldsFromForm, fieldsFromJson, SEND_FIELD_NAMES } from './read-fields';
import { SendRequest } from './send-request.dto';
import { SendService } from './send.service';

const MAX_BODY_BYTES = 1_000_000;
const FORM = 'application/x-www-form-urlencoded';

/** All that a send may be refused with, beyond what any call may. */
export const SEND_REFUSALS = [
  'INVALID_REQUEST',
  'INVALID_SENDER',
  'SENDER_INACTIVE',
  'ONBOARDING_NOT_APPROVED',
  'INVALID_TEMPLATE',
  'TEMPLATE_INACTIVE',
  'TEMPLATE_REQUIRED',
  'TEMPLATE_AMBIGUOUS',
  'SENDER_TEMPLATE_MISMATCH',
  'DLT_SENDER_REQUIRED',
  'DLT_TEMPLATE_REQUIRED',
  'INVALID_RECIPIENT',
  'MISSING_VARIABLES',
  'INVALID_VARIABLES',
  'INVALID_SCHEDULED_AT',
  'SCHEDULED_AT_IN_PAST',
  'NO_WORKSPACE',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
  'INSUFFICIENT_CREDITS',
  'PAYLOAD_TOO_LARGE',
] as const;

/** The REST styles: JSON, form and query string. */
@SmsApi('Send')
@ApiExtraModels(SendRequest)
@Controller(['sms', 'api/sms'])
export class SendController {
  constructor(
    @Inject(SendService) private readonly sends: SendService,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
  ) {}

  @Post('send')
  @HttpCode(200)
  @RequireScope('sms:send')
  @ApiOperation({ operationId: 'sendSms', summary: 'Send or schedule a message' })
  @TakesIdempotencyKey()
  @ApiConsumes('application/json', FORM)
  @ApiBody({ required: true, schema: { $ref: getSchemaPath(SendRequest) } })
  @ApiResponse({ status: 200, type: SendResponse })
  @Refusals(...SEND_REFUSALS)
  async post(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SendResponse> {
    const { mediaType, bytes } = await readBody(request, response, MAX_BODY_BYTES);
    const isForm = mediaType === FORM;
    return takeSend(this.sends, this.idempotency, {
      caller,
      request,
      response,
      endpoint: 'sms.send',
      fields: () =>
        isForm ? fieldsFromForm(parseUrlEncoded(bytes)) : fieldsFromJson(readJsonFields(decodeText(bytes))),
      raw: bytes,
      fromUrl: isForm,
    });
  }

  /** Express would answer HEAD through the GET handler, and so send a message. */
  @Head('send')
  @RequireScope('sms:send')
  @ApiExcludeEndpoint()
  head(): never {
    throw new AppError('METHOD_NOT_ALLOWED', 'Use GET or POST on this path.', { headers: { Allow: 'GET, POST' } });
  }

  @Get('send')
  @RequireScope('sms:send')
  @ApiOperation({ operationId: 'sendSmsByQuery', summary: 'Send or schedule a message, every field a query parameter' })
  @TakesIdempotencyKey()
  @ApiQuery({ name: 'from', required: true, type: String, description: aliasesOf('from') })
  @ApiQuery({ name: 'to', required: true, type: String, description: aliasesOf('to') })
  @ApiQuery({ name: 'template', required: false, type: String, description: aliasesOf('template') })
  @ApiQuery({ name: 'message', required: false, type: String, description: aliasesOf('message') })
  @ApiQuery({
    name: 'variables',
    required: false,
    type: String,
    description: 'A JSON object; or each variable as var.<token>',
  })
  @ApiQuery({ name: 'flash', required: false, enum: ['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'] })
  @ApiQuery({ name: 'scheduledAt', required: false, type: String, description: aliasesOf('scheduledAt') })
  @ApiResponse({ status: 200, type: SendResponse })
  @Refusals(...SEND_REFUSALS)
  get(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SendResponse> {
    const query = queryStringOf(request);
    return takeSend(this.sends, this.idempotency, {
      caller,
      request,
      response,
      endpoint: 'sms.send',
      fields: () => fieldsFromForm(parseQueryString(query)),
      raw: query,
      fromUrl: true,
    });
  }
}

function aliasesOf(field: keyof typeof SEND_FIELD_NAMES): string {
  return `Aliases: ${SEND_FIELD_NAMES[field].slice(1).join(', ')}`;
}
