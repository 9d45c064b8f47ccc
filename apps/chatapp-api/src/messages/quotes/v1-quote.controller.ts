import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { V1Quote } from '@heliograph/credits';
import { AcceptsBody, RequestId, V1Operation } from '@heliograph/service-kit';
import { ChatappApi } from '../../chatapp-api.openapi';
import { normalizeJson } from '../../normalize-json';
import { SendingGuard } from '../../switches/sending.guards';
import { QuoteService } from './quote.service';
import { V1QuoteRequest } from '../send-request.dto';

@ChatappApi('v1')
@Controller('api/v1/chatapp/quote')
export class V1QuoteController {
  constructor(private readonly quotes: QuoteService) {}

  @Post()
  @RequireScope('chatapp:read')
  @UseGuards(SendingGuard)
  @AcceptsBody({ json: normalizeJson })
  @V1Operation({
    id: 'v1QuoteChatapp',
    summary: 'Check a send and get its cost without sending',
    description:
      'Runs the same checks as POST /chatapp/send with this body. Nothing is sent, stored or charged, and the provider is not called.',
    response: V1Quote,
    errors: ['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'CHATAPP_DISABLED', 'CHATAPP_NOT_CONFIGURED'],
    sample: { body: { to: '+919812345678', type: 'text', text: 'Hello from Demo' } },
  })
  quote(@Caller() caller: Tenant, @Body() request: V1QuoteRequest, @RequestId() requestId: string): Promise<V1Quote> {
    return this.quotes.quote(caller, request, requestId);
  }
}
