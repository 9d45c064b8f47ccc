import { HttpResult } from '@heliograph/service-kit';
import type { EntityManager } from 'typeorm';
import { AlreadyClaimedError } from './already-claimed.error';
import type { Claim } from './claim';

/** The stored status of a response that has the status of its route. */
export const DEFAULT_STATUS = 200;

/** Commits a claim in the transaction of its work. Returns false when another call holds the key. */
export async function claimResponse(transaction: EntityManager, claim: Claim): Promise<boolean> {
  const rows: { claimed: boolean }[] = await transaction.query(
    `SELECT idempotency.claim($1, $2, $3, $4, 200::smallint, '{}') AS claimed`,
    [claim.callerId, claim.endpoint, claim.key, claim.fingerprint],
  );
  return rows[0]?.claimed === true;
}

/** Stores the response of a call that has claimed its key in the same transaction, and its status if it is an HttpResult. */
export async function storeResponse(transaction: EntityManager, claim: Claim, response: object): Promise<void> {
  const { body, status = DEFAULT_STATUS } = response instanceof HttpResult ? response : { body: response };
  await transaction.query(
    'UPDATE idempotency.answers SET body = $4, status = $5 WHERE caller_id = $1 AND endpoint = $2 AND key = $3',
    [claim.callerId, claim.endpoint, claim.key, JSON.stringify(claim.seal ? claim.seal.close(body) : body), status],
  );
}

/**
 * Commits a claim, the work of its call and its response, all in one transaction. Throws AlreadyClaimedError when
 * another process has claimed the key.
 */
export async function respondOnce<T extends object>(
  transaction: EntityManager,
  claim: Claim | null,
  work: () => Promise<T>,
): Promise<T> {
  if (!claim) return work();
  if (!(await claimResponse(transaction, claim))) throw new AlreadyClaimedError();
  const response = await work();
  await storeResponse(transaction, claim, response);
  return response;
}
