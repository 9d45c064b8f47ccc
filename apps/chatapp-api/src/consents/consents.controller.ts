import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { ChatappConsents } from '@heliograph/chatapp-catalog';
import { fingerprint, IdempotencyService, readIdempotencyKey } from '@heliograph/idempotency';
import {
  asRefusal,
  decodeText,
  readBody,
  readJsonFields,
  Refusals,
  requestIdOf,
  TakesIdempotencyKey,
} from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { toConsent } from './consent-request';
import { ConsentList, ConsentRecord, ConsentRequest } from './consents.dto';

const MAX_BODY_BYTES = 1_000_000;
const LIST_SIZE = 500;

@ChatappApi('Consents')
@Controller(['chatapp/consents', 'api/chatapp/consents'])
export class ConsentsController {
  constructor(
    private readonly consents: ChatappConsents,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Get()
  @RequireScope('chatapp:read')
  @ApiOperation({ operationId: 'listChatappConsents', summary: 'List consents, most recently changed first' })
  @ApiResponse({ status: 200, type: ConsentList })
  async list(@Caller() { organizationId }: Tenant): Promise<ConsentList> {
    const consents = await this.consents.list(organizationId, LIST_SIZE);
    return { consents: consents.map((consent) => ConsentRecord.of(consent)) };
  }

  @Post()
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'recordChatappConsent', summary: 'Record the consent of a number' })
  @TakesIdempotencyKey()
  @ApiBody({ required: true, type: ConsentRequest })
  @ApiResponse({ status: 200, type: ConsentRecord })
  @Refusals(
    'INVALID_REQUEST',
    'INVALID_NUMBER',
    'INVALID_STATUS',
    'PAYLOAD_TOO_LARGE',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
  )
  async record(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConsentRecord> {
    const { bytes } = await readBody(request, response, MAX_BODY_BYTES);
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const fields = asRefusal(() => readJsonFields(decodeText(bytes)));
    const call =
      key === undefined
        ? null
        : { callerId: caller.keyId, endpoint: 'chatapp.consents', key, fingerprint: fingerprint(fields) };
    const { body, replayed } = await this.idempotency.runInTransaction(call, async (transaction) =>
      ConsentRecord.of(
        await this.consents.record(transaction, caller.organizationId, toConsent(fields), requestIdOf(response)),
      ),
    );
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return body;
  }
}
