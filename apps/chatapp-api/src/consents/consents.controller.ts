import { Body, Controller, Get, Post } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, RequestId, MessagingOperation } from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { ConsentList, ConsentRecord, ConsentRequest, normalizeConsent } from './consents.dto';
import { ConsentsService } from './consents.service';

@ChatappApi('Consents')
@Controller(['chatapp/consents', 'api/chatapp/consents'])
export class ConsentsController {
  constructor(private readonly consents: ConsentsService) {}

  @Get()
  @RequireScope('chatapp:read')
  @MessagingOperation({
    id: 'listChatappConsents',
    summary: 'List consents, most recently changed first',

    description: 'Contains the latest consent of each number.',
    response: ConsentList,
  })
  list(@Caller() caller: Tenant): Promise<ConsentList> {
    return this.consents.list(caller);
  }

  @Post()
  @RequireScope('chatapp:send')
  @Idempotent('chatapp.consents')
  @AcceptsBody({ json: normalizeConsent })
  @MessagingOperation({
    id: 'recordChatappConsent',
    summary: 'Record the consent of a phone number',

    description: 'An opted-out number gets no messages: a send is 409 `RECIPIENT_OPTED_OUT`.',
    response: ConsentRecord,
    errors: [
      'INVALID_REQUEST',
      'INVALID_NUMBER',
      'INVALID_STATUS',
      'PAYLOAD_TOO_LARGE',
      'LIMIT_REACHED',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_PROGRESS',
    ],
  })
  record(
    @Caller() caller: Tenant,
    @Body() request: ConsentRequest,
    @RequestId() requestId: string,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<ConsentRecord> {
    return this.consents.record(caller, request, requestId, claim);
  }
}
