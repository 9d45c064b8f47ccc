import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { AcceptsBody, RequestId, V1Quote, V1Refusals } from '@heliograph/service-kit';
import { SmsApi } from '../sms-api.openapi';
import { V1SendRequest } from './v1-send.dto';
import { V1SendService } from './v1-send.service';

const MAX_BODY_BYTES = 1_000_000;

@SmsApi('v1', V1Refusals)
@Controller('api/v1/sms/quote')
export class V1QuoteController {
  constructor(private readonly sends: V1SendService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('sms:read')
  @ApiOperation({
    operationId: 'v1QuoteSms',
    summary: 'Run the checks of a send without sending',
    description: 'Changes nothing. The verdict is that of the same send at this time.',
  })
  @AcceptsBody({ maxBytes: MAX_BODY_BYTES })
  @ApiResponse({ status: 200, type: V1Quote })
  @V1Refusals('INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE')
  quote(@Caller() caller: Tenant, @Body() request: V1SendRequest, @RequestId() requestId: string): Promise<V1Quote> {
    return this.sends.quote(caller, request, requestId);
  }
}
