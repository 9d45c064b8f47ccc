import type { InvariantChecker } from '../invariant-checker';
import type { AcknowledgedPurchase, PurchaseWorkload } from './purchase-workload';

/**
 * Every paid purchase is credited once, every refund and every lost dispute takes back its share once and never more than is
 * left, an open dispute freezes it, and nothing else has an effect.
 */
export async function checkPurchases(
  checker: InvariantChecker,
  { purchases, problems }: PurchaseWorkload,
): Promise<void> {
  checker.add(problems);
  checker.sameEntries(
    'paid and credited purchases',
    purchases
      .filter(({ outcome }) => outcome.isPaid)
      .map(({ id, workspaceId, credits }) => `${id} in ${workspaceId}: ${credits}`),
    await checker.column(
      `SELECT split_part(reference, ':', 2) || ' in ' || workspace_id || ': ' || amount FROM credits.ledger
       WHERE kind = 'topup' AND reference LIKE 'purchase:%'`,
    ),
  );
  checker.sameEntries(
    'states of purchases',
    purchases.map(expectedState),
    await checker.column(
      `SELECT concat_ws(' ', id, CASE WHEN paid_at IS NULL AND status <> 'expired' THEN 'unpaid' ELSE status END,
         amount_refunded, credits_refunded + credits_not_recovered) FROM billing.purchases
       WHERE checkout_id IS NOT NULL`,
    ),
  );
  await checker.noRows(
    'refunds and disputes whose credits differ from the ledger',
    `SELECT p.id, p.credits_refunded, p.credits_frozen, coalesce(l.taken, 0) AS taken FROM billing.purchases AS p LEFT JOIN (
       SELECT split_part(reference, ':', 2) AS id, -sum(amount) AS taken FROM credits.ledger
       WHERE kind = 'adjustment' AND reference LIKE 'purchase:%' GROUP BY 1) AS l ON l.id = p.id::text
     WHERE p.credits_refunded + p.credits_frozen <> coalesce(l.taken, 0)`,
  );
  await checker.noRows(
    'disputes that freeze more than they may',
    `SELECT p.id, p.credits_frozen, coalesce(f.credits, 0) AS stored FROM billing.purchases AS p LEFT JOIN (
       SELECT purchase_id, sum(credits) AS credits FROM billing.frozen_credits GROUP BY 1) AS f ON f.purchase_id = p.id
     WHERE p.credits_frozen <> coalesce(f.credits, 0) OR p.credits_frozen + p.credits_refunded + p.credits_not_recovered > p.credits
       OR (p.credits_frozen > 0 AND NOT EXISTS (
         SELECT FROM billing.disputes AS d WHERE d.payment_id = p.payment_id AND d.status = 'open'))`,
  );
  await checker.noRows(
    'balances below zero',
    `SELECT workspace_id, credit_type, balance FROM credits.accounts WHERE balance < 0
     UNION ALL SELECT workspace_id, credit_type, balance_after FROM credits.ledger WHERE balance_after < 0`,
  );
  await checker.noRows(
    'purchases without a checkout that have an effect',
    `SELECT id, status FROM billing.purchases WHERE checkout_id IS NULL AND (paid_at IS NOT NULL OR credits_refunded <> 0)`,
  );
}

function expectedState({ id, credits, amount, outcome }: AcknowledgedPurchase): string {
  const { isPaid, isExpired } = outcome;
  if (!isPaid) return `${id} ${isExpired ? 'expired' : 'unpaid'} 0 0`;
  const refunded = outcome.dispute === 'lost' ? amount : Math.max(0, ...outcome.refunds);
  const due = refunded === amount ? credits : Math.floor((credits * refunded) / amount);
  return `${id} ${refunded === amount ? 'refunded' : 'paid'} ${refunded} ${due}`;
}
