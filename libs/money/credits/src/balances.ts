import { CREDIT_TYPES, type CreditType } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';
import type { ClientBase, Pool } from 'pg';
import { MAX_BALANCE } from './amounts';

export interface Balance {
  creditType: CreditType;
  balance: number;
  /** `credits.low` is emitted when the balance drops below this value; null disables it. */
  lowThreshold: number | null;
}

/** The balance of a workspace; 0 if it has no account. */
export async function balanceOf(
  database: ClientBase | Pool,
  workspaceId: string,
  creditType: CreditType,
): Promise<number> {
  const { rows } = await database.query<{ balance: number }>(
    'SELECT balance FROM credits.accounts WHERE workspace_id = $1 AND credit_type = $2',
    [workspaceId, creditType],
  );
  return rows[0]?.balance ?? 0;
}

/** Locks the account of a workspace in the transaction; 0 if it has none. */
export async function lockedBalanceOf(
  transaction: ClientBase,
  workspaceId: string,
  creditType: CreditType,
): Promise<number> {
  const { rows } = await transaction.query<{ balance: number }>(
    'SELECT balance FROM credits.accounts WHERE workspace_id = $1 AND credit_type = $2 FOR UPDATE',
    [workspaceId, creditType],
  );
  return rows[0]?.balance ?? 0;
}

/** The balances of a workspace, one per credit type. */
export async function balancesOf(database: ClientBase | Pool, workspaceId: string): Promise<Balance[]> {
  const { rows } = await database.query<Balance>(
    `SELECT credit_type AS "creditType", balance, low_threshold AS "lowThreshold"
     FROM credits.accounts WHERE workspace_id = $1`,
    [workspaceId],
  );
  return CREDIT_TYPES.map(
    (creditType) => rows.find((row) => row.creditType === creditType) ?? { creditType, balance: 0, lowThreshold: null },
  );
}

/**
 * Sets or removes (null) the low-balance threshold; returns the previous and the new value. A balance that is already
 * below the threshold must rise above it before an event is emitted. Throws VALIDATION_ERROR unless the value is an
 * integer greater than 0.
 */
export async function setLowThreshold(
  transaction: ClientBase,
  workspaceId: string,
  creditType: CreditType,
  threshold: number | null,
): Promise<{ before: number | null; after: number | null }> {
  if (threshold !== null && !(Number.isInteger(threshold) && threshold > 0 && threshold <= MAX_BALANCE))
    throw new AppError(
      'VALIDATION_ERROR',
      'lowThreshold: must be an integer greater than 0, or null for no threshold.',
    );
  await transaction.query(
    'INSERT INTO credits.accounts (workspace_id, credit_type) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [workspaceId, creditType],
  );
  const { rows } = await transaction.query<{ before: number | null }>(
    `SELECT low_threshold AS before FROM credits.accounts WHERE workspace_id = $1 AND credit_type = $2 FOR UPDATE`,
    [workspaceId, creditType],
  );
  await transaction.query(
    'UPDATE credits.accounts SET low_threshold = $3 WHERE workspace_id = $1 AND credit_type = $2',
    [workspaceId, creditType, threshold],
  );
  return { before: rows[0]?.before ?? null, after: threshold };
}
