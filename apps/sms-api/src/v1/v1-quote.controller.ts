import { Body, Controller, Post } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { V1Quote } from '@heliograph/credits';
import { AcceptsBody, RequestId, V1RouteErrors, V1Operation } from '@heliograph/service-kit';
import { SmsApi } from '../sms-api.openapi';
import { V1SendRequest } from './v1-send.dto';
import { V1SendService } from './v1-send.service';

const MAX_BODY_BYTES = 1_000_000;

@SmsApi('v1', V1RouteErrors)
@Controller('api/v1/sms/quote')
export class V1QuoteController {
  constructor(private readonly sends: V1SendService) {}

  @Post()
  @RequireScope('sms:read')
  @AcceptsBody({ maxBytes: MAX_BODY_BYTES })
  @V1Operation({
    id: 'v1QuoteSms',
    summary: 'Check a send and get its cost without sending',
    description: 'Runs the same checks as a send with this body. Nothing is sent, stored or charged.',
    response: V1Quote,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
    sample: { body: { to: '+919876543210', sender_id: 'DEMOIN', template_id: 'otp', variables: { code: '123456' } } },
  })
  quote(@Caller() caller: Tenant, @Body() request: V1SendRequest, @RequestId() requestId: string): Promise<V1Quote> {
    return this.sends.quote(caller, request, requestId);
  }
}
