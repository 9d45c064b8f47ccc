import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { fingerprint, IdempotencyService, readIdempotencyKey, type IdempotentCall } from '@heliograph/idempotency';
import { LOGGER, readBody, Refusals, requestIdOf, type Logger, TakesIdempotencyKey } from '@heliograph/service-kit';
import { EmailApi } from '../email-api.openapi';
import { MessagesRepository } from './messages.repository';
import { SendResponse } from './records.dto';
import { SEND_REQUEST_SCHEMA } from './send-request.openapi';
import { readSendFields, toSendRequest } from './send-request';
import { SendService } from './send.service';
import { refuseViewers } from './viewers';

const MAX_BODY_BYTES = 10_000_000;

@EmailApi('Send')
@Controller(['email', 'api/email'])
export class SendController {
  constructor(
    private readonly sends: SendService,
    private readonly messages: MessagesRepository,
    private readonly idempotency: IdempotencyService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Post('send')
  @HttpCode(200)
  @RequireScope('email:send')
  @ApiOperation({ operationId: 'sendEmail', summary: 'Send or schedule an email to one or many recipients' })
  @TakesIdempotencyKey()
  @ApiBody({ required: true, schema: SEND_REQUEST_SCHEMA })
  @ApiResponse({ status: 200, type: SendResponse })
  @Refusals(
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
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    'PAYLOAD_TOO_LARGE',
    'EMAIL_SEND_FAILED',
  )
  async post(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SendResponse> {
    refuseViewers(caller);
    const { bytes } = await readBody(request, response, MAX_BODY_BYTES);
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const fields = readSendFields(bytes);
    const call: IdempotentCall | null =
      key === undefined
        ? null
        : { callerId: caller.keyId, endpoint: 'email.send', key, fingerprint: fingerprint(fields) };
    const { body, replayed } = await this.idempotency.run<SendResponse>(
      call,
      async (claimed) => this.send(caller, fields, requestIdOf(response), claimed),
      (stored) => this.restoreResponse(stored),
    );
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return body;
  }

  private async send(
    caller: Tenant,
    fields: Record<string, unknown>,
    correlationId: string,
    call: IdempotentCall | null,
  ): Promise<SendResponse | 'repeated'> {
    let answer: SendResponse | 'repeated';
    try {
      answer = await this.sends.send(caller, toSendRequest(fields), correlationId, call);
    } catch (error) {
      // Everything was refused and refunded, possibly temporarily: release the key so that a retry is executed.
      if (call && isSendFailed(error)) await this.idempotency.forget(call);
      throw error;
    }
    if (call && answer !== 'repeated') {
      await this.idempotency.complete(call, answer).catch((error: unknown) => {
        // The mail has been sent. A repeated request gets a response from the stored send.
        this.log.warn({ err: error }, 'failed to store the response of an idempotent send');
      });
    }
    return answer;
  }

  /** Returns the stored response. If the process crashed before storing one, rebuilds it from the send. */
  private restoreResponse(stored: object): SendResponse | Promise<SendResponse> {
    const { pending } = stored as { pending?: string };
    return pending === undefined ? (stored as SendResponse) : this.messages.answerOf(pending);
  }
}

function isSendFailed(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'EMAIL_SEND_FAILED';
}
