import { Body, Controller, Get, Head, Post, Query } from '@nestjs/common';
import { ApiBody, ApiExcludeEndpoint, ApiExtraModels, ApiQuery } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, AcceptsQuery, AdmittedByService, RequestId, MessagingOperation } from '@heliograph/service-kit';
import { SmsApi } from '../sms-api.openapi';
import { SendResponse } from './message-records.dto';
import { normalizeSendForm, normalizeSendJson, SEND_FIELD_NAMES } from './normalize-send';
import { SendRequest } from './send-request.dto';
import { SendService } from './send.service';

/** Error codes of a send, in addition to the error codes of every call. */
export const SEND_ERRORS = [
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
  'RECIPIENT_OPTED_OUT',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
  'INSUFFICIENT_CREDITS',
  'LIMIT_REACHED',
  'PAYLOAD_TOO_LARGE',
] as const;

/** Sends by JSON, form and query string. */
@SmsApi('Send')
@ApiExtraModels(SendRequest)
@Controller(['sms', 'api/sms'])
export class SendController {
  constructor(private readonly sends: SendService) {}

  @Post('send')
  @AdmittedByService()
  @RequireScope('sms:send')
  @Idempotent('sms.send')
  @AcceptsBody({ json: normalizeSendJson, form: normalizeSendForm })
  @ApiBody({ required: true, type: SendRequest })
  @MessagingOperation({
    id: 'sendSms',
    summary: 'Send or schedule a message',

    description:
      'Credits are charged when the message is accepted. Fields may have the names of other providers, such as `recipient` or `mobile`.',
    response: SendResponse,
    errors: SEND_ERRORS,
    sample: { body: { from: 'DEMOIN', to: '+919876543210', template: 'otp', variables: { code: '123456' } } },
  })
  send(
    @Caller() caller: Tenant,
    @Body() request: SendRequest,
    @RequestId() requestId: string,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<SendResponse> {
    return this.sends.send(caller, request, requestId, claim);
  }

  /** Express answers HEAD with the GET handler by default, which would send a message. */
  @Head('send')
  @RequireScope('sms:send')
  @ApiExcludeEndpoint()
  head(): never {
    throw new AppError('METHOD_NOT_ALLOWED', 'Use GET or POST on this path.', { headers: { Allow: 'GET, POST' } });
  }

  @Get('send')
  @AdmittedByService()
  @RequireScope('sms:send')
  @Idempotent('sms.send')
  @AcceptsQuery(normalizeSendForm)
  @ApiQuery({ name: 'from', required: true, type: String, description: aliasesOf('from') })
  @ApiQuery({ name: 'to', required: true, type: String, description: aliasesOf('to') })
  @ApiQuery({ name: 'template', required: false, type: String, description: aliasesOf('template') })
  @ApiQuery({ name: 'message', required: false, type: String, description: aliasesOf('message') })
  @ApiQuery({
    name: 'variables',
    required: false,
    schema: { type: 'string', example: '{"code": "123456"}' },
    description: 'A JSON object with the values of the placeholders. Each value can also be sent as `var.<token>`.',
  })
  @ApiQuery({ name: 'flash', required: false, enum: ['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'] })
  @ApiQuery({ name: 'scheduledAt', required: false, type: String, description: aliasesOf('scheduledAt') })
  @MessagingOperation({
    id: 'sendSmsByQuery',
    summary: 'Send or schedule a message with the fields as query parameters',

    description:
      'For systems that can only open a URL. Keep the key in a header: it is not accepted in the query string. Variables are `var.<name>` parameters.',
    response: SendResponse,
    errors: SEND_ERRORS,
    sample: { query: { from: 'DEMOIN', to: '+919876543210', template: 'otp', variables: '{"code":"123456"}' } },
  })
  sendByQuery(
    @Caller() caller: Tenant,
    @Query() request: SendRequest,
    @RequestId() requestId: string,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<SendResponse> {
    return this.sends.send(caller, request, requestId, claim);
  }
}

function aliasesOf(field: keyof typeof SEND_FIELD_NAMES): string {
  return `Aliases: ${SEND_FIELD_NAMES[field].slice(1).join(', ')}`;
}
