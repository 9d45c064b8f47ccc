import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Public, readBody, Refusals, requestIdOf } from '@heliograph/service-kit';
import { PROCESSOR_SIGNATURE_HEADER } from '@heliograph/webhook-signatures';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Acknowledgement, PaymentEvent } from './payments.dto';
import { ReceiveService } from './receive.service';

const MAX_BODY_BYTES = 1_000_000;

@ApiTags('Payments')
@Public()
@Controller('api/webhooks/payments')
export class PaymentsController {
  constructor(private readonly events: ReceiveService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ operationId: 'receivePaymentEvent', summary: 'Receive an event of the payment processor' })
  @ApiHeader({
    name: PROCESSOR_SIGNATURE_HEADER,
    required: true,
    description:
      't=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">; the timestamp must be within 300 seconds of the current time',
  })
  @ApiBody({ type: PaymentEvent })
  @ApiResponse({ status: 200, type: Acknowledgement })
  @Refusals(
    'MISSING_SIGNATURE',
    'INVALID_SIGNATURE',
    'INVALID_PAYLOAD',
    'INVALID_REQUEST',
    'PAYLOAD_TOO_LARGE',
    'BILLING_NOT_CONFIGURED',
    'SERVICE_UNAVAILABLE',
    'INTERNAL_ERROR',
  )
  async receive(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<Acknowledgement> {
    this.events.assertConfigured();
    const { bytes } = await readBody(request, response, MAX_BODY_BYTES);
    const eventId = await this.events.receive(signatureOf(request), bytes, requestIdOf(response));
    return { received: true, eventId };
  }
}

const HEADER = PROCESSOR_SIGNATURE_HEADER.toLowerCase();

/** Node joins repeated headers. */
function signatureOf({ headers }: IncomingMessage): string | undefined {
  const value = headers[HEADER];
  return Array.isArray(value) ? value.join(',') : value;
}
