import { Body, Controller, Headers, Post, UseGuards } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import { AcceptsBody, AdmittedByService, Public, RequestId, MessagingOperation } from '@heliograph/service-kit';
import { PROCESSOR_SIGNATURE_HEADER } from '@heliograph/secrets';
import { ConfiguredGuard } from './configured.guard';
import { Acknowledgement, PaymentEvent } from './payments.dto';
import { ReceiveService } from './receive.service';

const MAX_BODY_BYTES = 1_000_000;

@ApiTags('Payments')
@Public()
@Controller('api/webhooks/payments')
export class PaymentsController {
  constructor(private readonly events: ReceiveService) {}

  @Post()
  @AdmittedByService()
  @UseGuards(ConfiguredGuard)
  @ApiHeader({
    name: PROCESSOR_SIGNATURE_HEADER,
    required: true,
    description:
      'Signature in the form `t=<timestamp>,v1=<signature>`. The timestamp is in Unix seconds and must be within 300 seconds of the current time. The signature is the HMAC-SHA256 of `<timestamp>.<body>` in hexadecimal. The setting `BILLING_SIGNATURE_HEADER` gives this header another name',
  })
  @AcceptsBody({ maxBytes: MAX_BODY_BYTES, bytes: (body) => body })
  @ApiBody({ type: PaymentEvent })
  @MessagingOperation({
    id: 'receivePaymentEvent',
    summary: 'Receive an event of the payment processor',
    description: 'The body is signed. An event counts once, in whatever order events arrive.',
    response: Acknowledgement,
    errors: [
      'MISSING_SIGNATURE',
      'INVALID_SIGNATURE',
      'INVALID_PAYLOAD',
      'INVALID_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'BILLING_NOT_CONFIGURED',
      'SERVICE_UNAVAILABLE',
      'INTERNAL_ERROR',
    ],
    sample: {
      body: { id: 'evt_1', type: 'customer.updated', created: 1769860800, data: { object: { id: 'cus_demo' } } },
      values: {
        [PROCESSOR_SIGNATURE_HEADER]: {
          run: `T=$(date +%s); printf 't=%s,v1=%s' "$T" "$(printf '%s.%s' "$T" "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')"`,
        },
      },
      before: ['# WEBHOOK_SECRET: the value of the setting BILLING_WEBHOOK_SECRET'],
    },
  })
  receive(
    @Headers() headers: Record<string, string | undefined>,
    @Body() body: Buffer,
    @RequestId() requestId: string,
  ): Promise<Acknowledgement> {
    return this.events.receive(headers, body, requestId);
  }
}
