import { createParamDecorator, Inject, Injectable, type ExecutionContext } from '@nestjs/common';
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
import { seal, sealedName, unseal, type SealedAnswer } from './sealed-answer';

/** The operator has no id of its own. */
const OPERATOR_ID = '00000000-0000-0000-0000-000000000000';

/** A call that writes, as a controller has it in hand. */
export interface WriteCall {
  request: AccessRequest;
  response: Response;
  actor: Actor;
}

/** What a service needs to write on behalf of a call. Only for routes that know their caller. */
export const ToWrite = createParamDecorator((_: unknown, context: ExecutionContext): WriteCall => {
  const http = context.switchToHttp();
  const request = http.getRequest<AccessRequest>();
  const actor = request.access?.operator ?? request.access?.caller?.actor;
  if (!actor) throw new Error('this route writes and knows nobody who does');
  return { request, response: http.getResponse<Response>(), actor };
});

/** What a write may use while its transaction is open. */
export interface OpenWrite {
  transaction: EntityManager;
  /** Notes in the audit log what was written. */
  record(write: Write): Promise<void>;
}

/**
 * The one way in which this service writes: one transaction holds what is written, its audit entry, its events and
 * the answer that a repeat with the same Idempotency-Key gets.
 */
@Injectable()
export class Writes {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
    @Inject(Relay) private readonly relay: Relay,
  ) {}

  /** `sealed`: the answer holds a secret, so it is not stored as it is. */
  async run<T extends object>(
    call: WriteCall,
    write: (open: OpenWrite) => Promise<T>,
    { sealed = false }: { sealed?: boolean } = {},
  ): Promise<T> {
    const { actor } = call;
    const key = readIdempotencyKey(call.request.headers['idempotency-key']);
    const callerId = actor.id ?? OPERATOR_ID;
    const named = key === undefined ? null : describe(call, callerId, sealed ? sealedName(key) : key);
    const { body, replayed } = await this.idempotency.run<T | SealedAnswer>(named, () =>
      this.dataSource.transaction(async (transaction) => {
        if (named && !(await claimAnswer(transaction, named))) return 'repeated';
        const answer = await write({ transaction, record: (made) => recordWrite(transaction, actor, made) });
        if (named && key !== undefined)
          await keepAnswer(transaction, named, sealed ? seal(answer, key, callerId) : answer);
        return answer;
      }),
    );
    if (replayed) call.response.setHeader('Idempotent-Replayed', 'true');
    else this.relay.wake();
    return replayed && sealed && key !== undefined ? (unseal(body as SealedAnswer, key, callerId) as T) : (body as T);
  }
}

function describe({ request }: WriteCall, callerId: string, key: string): IdempotentCall {
  const endpoint = `${request.method} ${request.path}`;
  return { callerId, endpoint, key, fingerprint: fingerprint(request.asked ?? {}) };
}
