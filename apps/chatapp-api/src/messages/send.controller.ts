import { Body, Controller, Get, Head, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiExcludeEndpoint, ApiQuery } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, AcceptsQuery, AdmittedByService, RequestId, MessagingOperation } from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { normalizeJson } from '../normalize-json';
import { SendingGuard } from '../switches/sending.guards';
import { FIELD_NAMES, normalizeSendForm } from './normalize-send';
import { SendResponse } from './records.dto';
import { SendQuery, SendRequest } from './send-request.dto';
import { SendService } from './send.service';

const SEND_ERRORS = [
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

/** Sends by JSON, form and query string. */
@ChatappApi('Send')
@Controller(['chatapp', 'api/chatapp'])
export class SendController {
  constructor(private readonly sends: SendService) {}

  @Post('send')
  @AdmittedByService()
  @RequireScope('chatapp:send')
  @Idempotent('chatapp.send')
  // Decorators are applied from the last to the first, so the switches are checked before the Idempotency-Key.
  @UseGuards(SendingGuard)
  @AcceptsBody({ json: normalizeJson, form: normalizeSendForm })
  @ApiBody({ required: true, type: SendRequest })
  @MessagingOperation({
    id: 'sendChatapp',
    summary: 'Send a message',

    description:
      'Outside of the 24-hour window of the recipient, only templates can be sent. The price depends on country and category.',
    response: SendResponse,
    errors: SEND_ERRORS,
    sample: {
      body: { to: '+919812345678', type: 'text', text: 'Hello from Demo' },
      before: ['# Text requires that the recipient has written in the last 24 hours.'],
    },
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
  @RequireScope('chatapp:send')
  @ApiExcludeEndpoint()
  head(): never {
    throw new AppError('METHOD_NOT_ALLOWED', 'Use GET or POST on this path.', { headers: { Allow: 'GET, POST' } });
  }

  @Get('send')
  @AdmittedByService()
  @RequireScope('chatapp:send')
  @Idempotent('chatapp.send')
  @UseGuards(SendingGuard)
  @AcceptsQuery(normalizeSendForm)
  @ApiQuery({ name: 'to', required: true, type: String, description: aliasesOf('to') })
  @ApiQuery({ name: 'text', required: false, type: String, description: aliasesOf('text') })
  @ApiQuery({ name: 'type', required: false, enum: ['text', 'template'] })
  @ApiQuery({ name: 'template', required: false, type: String, description: 'Name of the template' })
  @ApiQuery({
    name: 'language',
    required: false,
    type: String,
    description: 'Language of the template. The default is `en_US`',
  })
  @ApiQuery({ name: 'category', required: false, enum: ['marketing', 'utility', 'authentication'] })
  @MessagingOperation({
    id: 'sendChatappByQuery',
    summary: 'Send a text or template message with query parameters',

    description: 'For systems that can only open a URL. Media and interactive messages need a JSON body.',
    response: SendResponse,
    errors: SEND_ERRORS,
    sample: { query: { to: '+919812345678', type: 'text', text: 'Hello from Demo' } },
  })
  sendByQuery(
    @Caller() caller: Tenant,
    @Query() request: SendQuery,
    @RequestId() requestId: string,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<SendResponse> {
    return this.sends.send(caller, request, requestId, claim);
  }
}

function aliasesOf(field: keyof typeof FIELD_NAMES): string {
  return `Aliases: ${FIELD_NAMES[field].slice(1).join(', ')}`;
}
