import { HttpResult } from '@heliograph/service-kit';
import type { EntityManager } from 'typeorm';
import { AlreadyClaimedError } from './already-claimed.error';
import type { IdempotentCall } from './idempotent-call';

/** The stored status of an answer that has the status of its route. */
export const DEFAULT_STATUS = 200;

/** Claims the key of a call in the transaction of its work. Returns false when another call holds the key. */
export async function claimAnswer(transaction: EntityManager, call: IdempotentCall): Promise<boolean> {
  const rows: { claimed: boolean }[] = await transaction.query(
    `SELECT idempotency.claim($1, $2, $3, $4, 200::smallint, '{}') AS claimed`,
    [call.callerId, call.endpoint, call.key, call.fingerprint],
  );
  return rows[0]?.claimed === true;
}

/** Stores the answer of a call that has claimed its key in the same transaction, and its status if it is an HttpResult. */
export async function keepAnswer(transaction: EntityManager, call: IdempotentCall, answer: object): Promise<void> {
  const { body, status = DEFAULT_STATUS } = answer instanceof HttpResult ? answer : { body: answer };
  await transaction.query(
    'UPDATE idempotency.answers SET body = $4, status = $5 WHERE caller_id = $1 AND endpoint = $2 AND key = $3',
    [call.callerId, call.endpoint, call.key, JSON.stringify(call.seal ? call.seal.close(body) : body), status],
  );
}

/**
 * Claims the key of a call, does its work and stores its answer, all in one transaction. Throws AlreadyClaimedError when
 * another process has claimed the key.
 */
export async function answerOnce<T extends object>(
  transaction: EntityManager,
  call: IdempotentCall | null,
  work: () => Promise<T>,
): Promise<T> {
  if (!call) return work();
  if (!(await claimAnswer(transaction, call))) throw new AlreadyClaimedError();
  const answer = await work();
  await keepAnswer(transaction, call, answer);
  return answer;
}
