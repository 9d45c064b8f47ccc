import type { Request, Response } from 'express';
import type { Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { fingerprint, IdempotencyService, readIdempotencyKey, type IdempotentCall } from '@heliograph/idempotency';
import { FieldError, requestIdOf } from '@heliograph/platform';
import type { SendFields } from './read-fields';
import type { SendResponse } from './message-records.dto';
import { toSendRequest } from './send-request.dto';
import type { SendService } from './send.service';

/** One call of any style, read as far as it can be. */
export interface SendCall {
  caller: Tenant;
  request: Request;
  response: Response;
  endpoint: string;
  /** Reads the fields; throws a FieldError when there are none to be had. */
  fields: () => SendFields | Promise<SendFields>;
  /** What tells this request from another when its fields cannot be read. */
  raw: unknown;
  /** The fields come from a query string or a form. */
  fromUrl: boolean;
}

/** Takes a send in whatever style it came, once for each Idempotency-Key. */
export async function takeSend(
  sends: SendService,
  idempotency: IdempotencyService,
  call: SendCall,
): Promise<SendResponse> {
  const key = readIdempotencyKey(call.request.headers['idempotency-key']);
  const read = await readFields(call);
  const idempotent: IdempotentCall | null =
    key === undefined
      ? null
      : {
          callerId: call.caller.keyId,
          endpoint: call.endpoint,
          key,
          fingerprint: fingerprint('fields' in read ? read.fields : call.raw),
        };
  const { body, replayed } = await idempotency.run<SendResponse>(idempotent, (claimed) => {
    if ('error' in read) throw read.error;
    return sends.send(call.caller, toSendRequest(read.fields, call), requestIdOf(call.response), claimed);
  });
  if (replayed) call.response.setHeader('Idempotent-Replayed', 'true');
  return body;
}

async function readFields(call: SendCall): Promise<{ fields: SendFields } | { error: AppError }> {
  try {
    return { fields: await call.fields() };
  } catch (error) {
    if (error instanceof FieldError) return { error: new AppError('INVALID_REQUEST', error.message) };
    throw error;
  }
}
