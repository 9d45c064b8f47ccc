import type { CreditType } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';
import type { ClientBase, Pool } from 'pg';
import { assertPositiveAmount } from './amounts';
import { post, type LedgerPosting, type PostingResult } from './ledger';

/** A purchase or grant of credits, or a correction of a balance. */
export type Movement = Omit<LedgerPosting, 'kind'>;

export interface TopUpResult extends PostingResult {
  outcome: 'posted' | 'repeated';
}

export interface Transfer {
  organizationId: string;
  fromWorkspaceId: string;
  toWorkspaceId: string;
  creditType: CreditType;
  /** Greater than 0. */
  amount: number;
  /** The same reference moves credits once. */
  transferId: string;
  correlationId: string | null;
}

export interface TransferResult {
  outcome: PostingResult['outcome'];
  /** Balance after the transfer; the current balance if nothing was moved. */
  fromBalance: number;
  toBalance: number;
}

/** Adds credits, once per reference. Throws VALIDATION_ERROR unless the amount is greater than 0. */
export async function topUp(database: ClientBase | Pool, movement: Movement): Promise<TopUpResult> {
  assertPositiveAmount(movement.amount);
  const { outcome, balance } = await postOne(database, { ...movement, kind: 'topup' });
  if (outcome === 'insufficient') throw new Error('a top-up cannot have insufficient credits');
  return { outcome, balance };
}

/**
 * Corrects a balance in either direction, once per reference; returns 'insufficient' if the balance would drop below
 * 0.
 */
export async function adjust(database: ClientBase | Pool, movement: Movement): Promise<PostingResult> {
  return postOne(database, { ...movement, kind: 'adjustment' });
}

/**
 * Moves credits between two workspaces atomically. Requires a transaction, which remains usable if the balance is
 * insufficient. Throws VALIDATION_ERROR for an amount that is not greater than 0, and if both workspaces are the
 * same. The caller must check that both belong to the organization.
 */
export async function transfer(transaction: ClientBase, order: Transfer): Promise<TransferResult> {
  const { fromWorkspaceId, toWorkspaceId, amount, transferId, organizationId, creditType, correlationId } = order;
  assertPositiveAmount(amount);
  if (fromWorkspaceId === toWorkspaceId)
    throw new AppError('VALIDATION_ERROR', 'toWorkspaceId: must differ from the paying workspace.');
  const side = { organizationId, creditType, correlationId, kind: 'transfer' as const };
  // One batch locks both accounts in the common lock order. If only the credit succeeded, it is rolled back.
  await transaction.query('SAVEPOINT transfer');
  const [paid, received] = await post(transaction, [
    { ...side, workspaceId: fromWorkspaceId, amount: -amount, reference: `transfer:${transferId}:out` },
    { ...side, workspaceId: toWorkspaceId, amount, reference: `transfer:${transferId}:in` },
  ]);
  if (!paid || !received) throw new Error('the ledger returned too few results');
  if (paid.outcome !== 'insufficient') {
    await transaction.query('RELEASE SAVEPOINT transfer');
    return { outcome: paid.outcome, fromBalance: paid.balance, toBalance: received.balance };
  }
  await transaction.query('ROLLBACK TO SAVEPOINT transfer');
  await transaction.query('RELEASE SAVEPOINT transfer');
  return { outcome: paid.outcome, fromBalance: paid.balance, toBalance: received.balance - amount };
}

async function postOne(database: ClientBase | Pool, posting: LedgerPosting): Promise<PostingResult> {
  const [result] = await post(database, [posting]);
  if (!result) throw new Error('the ledger returned no result');
  return result;
}
