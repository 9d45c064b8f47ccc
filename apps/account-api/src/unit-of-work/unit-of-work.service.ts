import { createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import { recordWrite, type Actor, type Write } from '@heliograph/audit';
import {
  claimAnswer,
  fingerprint,
  IdempotencyService,
  keepAnswer,
  readIdempotencyKey,
  type IdempotentCall,
} from '@heliograph/idempotency';
import { Relay } from '@heliograph/messaging';
import type { Response } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import type { AccessRequest } from '../access/caller';
import { seal, sealedName, unseal, type SealedResponse } from './sealed-response';

/** Caller id of the operator, who has no id of its own. */
const OPERATOR_ID = '00000000-0000-0000-0000-000000000000';

/** The request, response and actor of a write. */
export interface WriteRequest {
  request: AccessRequest;
  response: Response;
  actor: Actor;
}

/** Provides the context of a write. Only for routes with an authenticated caller. */
export const CurrentWriteRequest = createParamDecorator((_: unknown, context: ExecutionContext): WriteRequest => {
  const http = context.switchToHttp();
  const request = http.getRequest<AccessRequest>();
  const actor = request.access?.operator ?? request.access?.caller?.actor;
  if (!actor) throw new Error('this route writes but has no authenticated actor');
  return { request, response: http.getResponse<Response>(), actor };
});

/** The open transaction of a write, with its audit log. */
export interface UnitOfWorkContext {
  transaction: EntityManager;
  /** Adds an audit entry. */
  audit(write: Write): Promise<void>;
}

/**
 * Runs a write in one transaction together with its audit entry, its events and the stored response for repeats with
 * the same Idempotency-Key.
 */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly idempotency: IdempotencyService,
    private readonly relay: Relay,
  ) {}

  /** Set `sealed` if the response contains a secret, so that it is stored encrypted. */
  async run<T extends object>(
    call: WriteRequest,
    write: (work: UnitOfWorkContext) => Promise<T>,
    { sealed = false }: { sealed?: boolean } = {},
  ): Promise<T> {
    const { actor } = call;
    const key = readIdempotencyKey(call.request.headers['idempotency-key']);
    const callerId = actor.id ?? OPERATOR_ID;
    const named = key === undefined ? null : describe(call, callerId, sealed ? sealedName(key) : key);
    const { body, replayed } = await this.idempotency.run<T | SealedResponse>(named, () =>
      this.dataSource.transaction(async (transaction) => {
        if (named && !(await claimAnswer(transaction, named))) return 'repeated';
        const response = await write({ transaction, audit: (entry) => recordWrite(transaction, actor, entry) });
        if (named && key !== undefined)
          await keepAnswer(transaction, named, sealed ? seal(response, key, callerId) : response);
        return response;
      }),
    );
    if (replayed) call.response.setHeader('Idempotent-Replayed', 'true');
    else this.relay.wake();
    return replayed && sealed && key !== undefined ? (unseal(body as SealedResponse, key, callerId) as T) : (body as T);
  }
}

function describe({ request }: WriteRequest, callerId: string, key: string): IdempotentCall {
  const endpoint = `${request.method} ${request.path}`;
  return { callerId, endpoint, key, fingerprint: fingerprint(request.validatedBody ?? {}) };
}
