import type { CreditType } from '@heliograph/contracts';
import type { ClientBase } from 'pg';
import { traceLots, type LotEntry } from './lots';

export interface PurchasedCredits {
  purchaseId: string;
  creditType: CreditType;
  /** All workspaces of the organization, which its transfers can reach. */
  workspaceIds: readonly string[];
}

/**
 * Locks the accounts of the workspaces in the order of `credits.post`, so that no credits move until the end of the
 * transaction. Call it before anything else in the transaction locks one of the accounts.
 */
export async function lockAccounts(
  transaction: ClientBase,
  { creditType, workspaceIds }: Pick<PurchasedCredits, 'creditType' | 'workspaceIds'>,
): Promise<Map<string, number>> {
  const { rows } = await transaction.query<{ workspaceId: string; balance: number }>(
    `SELECT workspace_id AS "workspaceId", balance FROM credits.accounts
     WHERE workspace_id = ANY ($1::uuid[]) AND credit_type = $2 ORDER BY workspace_id FOR UPDATE`,
    [workspaceIds, creditType],
  );
  return new Map(rows.map(({ workspaceId, balance }) => [workspaceId, balance]));
}

/**
 * The unspent credits of a purchase by workspace, wherever transfers have moved them. They are traced in the ledger, so
 * that charges need no record of lots. Locks the accounts of the workspaces.
 */
export async function findPurchasedCredits(
  transaction: ClientBase,
  purchased: PurchasedCredits,
): Promise<Map<string, number>> {
  const { purchaseId, creditType, workspaceIds } = purchased;
  const balances = await lockAccounts(transaction, purchased);
  const { rows } = await transaction.query<LotEntry>(
    `SELECT workspace_id AS "workspaceId", kind, amount, balance_after AS "balanceAfter", reference FROM credits.ledger
     WHERE workspace_id = ANY ($1::uuid[]) AND credit_type = $2 AND kind IN ('topup', 'transfer', 'adjustment')
       AND position >= (SELECT position FROM credits.ledger WHERE reference = $3 AND kind = 'topup')
     ORDER BY position`,
    [workspaceIds, creditType, `purchase:${purchaseId}`],
  );
  return traceLots(rows, balances, purchaseId);
}
