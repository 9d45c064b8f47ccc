import type { CreditType } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';
import type { ClientBase, Pool } from 'pg';
import { assertPositiveAmount } from './amounts';
import { post, type LedgerPosting, type PostingResult } from './ledger';

/** Credits that are bought or granted, or a correction of a balance. */
export type Movement = Omit<LedgerPosting, 'kind'>;

export interface TopUpResult extends PostingResult {
  outcome: 'posted' | 'repeated';
}

export interface Transfer {
  organizationId: string;
  fromWorkspaceId: string;
  toWorkspaceId: string;
  creditType: CreditType;
  /** Above 0. */
  amount: number;
  /** The same one moves credits once. */
  transferId: string;
  correlationId: string | null;
}

export interface TransferResult {
  outcome: PostingResult['outcome'];
  /** After the transfer; as it is where nothing was moved. */
  fromBalance: number;
  toBalance: number;
}

/** Adds credits, once for a reference. Throws VALIDATION_ERROR unless the amount is above 0. */
export async function topUp(database: ClientBase | Pool, movement: Movement): Promise<TopUpResult> {
  assertPositiveAmount(movement.amount);
  const { outcome, balance } = await postOne(database, { ...movement, kind: 'topup' });
  if (outcome === 'insufficient') throw new Error('a top-up takes no credits');
  return { outcome, balance };
}

/** Corrects a balance either way, once for a reference; 'insufficient' when it would end below 0. */
export async function adjust(database: ClientBase | Pool, movement: Movement): Promise<PostingResult> {
  return postOne(database, { ...movement, kind: 'adjustment' });
}

/**
 * Moves credits between two workspaces, both sides or neither. Needs a transaction, which stays usable when the credits
 * do not suffice. Throws VALIDATION_ERROR for an amount that is not above 0 and for one workspace given twice. That both
 * belong to the organization is for the caller to know.
 */
export async function transfer(transaction: ClientBase, order: Transfer): Promise<TransferResult> {
  const { fromWorkspaceId, toWorkspaceId, amount, transferId, organizationId, creditType, correlationId } = order;
  assertPositiveAmount(amount);
  if (fromWorkspaceId === toWorkspaceId)
    throw new AppError('VALIDATION_ERROR', 'toWorkspaceId: give another workspace than the one that pays.');
  const side = { organizationId, creditType, correlationId, kind: 'transfer' as const };
  // One batch locks both accounts in the order of all batches; what it did for the receiver alone is taken back.
  await transaction.query('SAVEPOINT transfer');
  const [paid, received] = await post(transaction, [
    { ...side, workspaceId: fromWorkspaceId, amount: -amount, reference: `transfer:${transferId}:out` },
    { ...side, workspaceId: toWorkspaceId, amount, reference: `transfer:${transferId}:in` },
  ]);
  if (!paid || !received) throw new Error('the ledger answered too few results');
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
  if (!result) throw new Error('the ledger answered no result');
  return result;
}
