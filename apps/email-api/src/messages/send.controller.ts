import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, AdmittedByService, RequestId, MessagingOperation } from '@heliograph/service-kit';
import { EmailApi } from '../email-api.openapi';
import { SendResponse } from './records.dto';
import { SendRequest } from './send-request.dto';
import { SendService } from './send.service';
import { SenderRoleGuard } from './sender-role.guard';

const MAX_BODY_BYTES = 10_000_000;

/** Error codes of a send, in addition to the error codes of every call. */
export const SEND_ERRORS = [
  'INVALID_REQUEST',
  'NO_RECIPIENTS',
  'INVALID_RECIPIENT',
  'SUBJECT_REQUIRED',
  'BODY_REQUIRED',
  'INVALID_TEMPLATE',
  'MISSING_VARIABLES',
  'INVALID_SEND_TIME',
  'SENDER_NOT_VERIFIED',
  'DOMAIN_NOT_VERIFIED',
  'NO_WORKSPACE',
  'INSUFFICIENT_CREDITS',
  'LIMIT_REACHED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_IN_PROGRESS',
  'PAYLOAD_TOO_LARGE',
] as const;

@EmailApi('Send')
@Controller(['email', 'api/email'])
export class SendController {
  constructor(private readonly sends: SendService) {}

  @Post('send')
  @AdmittedByService()
  @RequireScope('email:send')
  @Idempotent('email.send')
  // Decorators are applied from the last to the first, so the role is checked before the Idempotency-Key.
  @UseGuards(SenderRoleGuard)
  @AcceptsBody({ maxBytes: MAX_BODY_BYTES })
  @MessagingOperation({
    id: 'sendEmail',
    summary: 'Send or schedule an email to one or many recipients',

    description: 'An immediate send waits for the mail server. Suppressed recipients are skipped and not charged.',
    response: SendResponse,
    errors: [...SEND_ERRORS, 'EMAIL_SEND_FAILED'],
    sample: {
      body: {
        from: 'hello@demo.example',
        to: 'ann@elsewhere.example',
        template: 'welcome',
        variables: { name: 'Ann' },
      },
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
}
