import { findBrokenEntries, reconcile } from '@heliograph/credits';
import { GRANT } from '@heliograph/harness';
import type { InvariantChecker } from '../invariant-checker';

/** The ledger is consistent, initial grants exist once, and no event remains unpublished. */
export async function checkLedger(checker: InvariantChecker): Promise<void> {
  checker.add(
    (await reconcile(checker.database)).map(
      (difference) => `the balance differs from the ledger: ${JSON.stringify(difference)}`,
    ),
  );
  checker.add(
    (await findBrokenEntries(checker.database)).map(
      (entry) => `the entry does not follow from its predecessor: ${JSON.stringify(entry)}`,
    ),
  );
  await checker.noRows(
    'workspaces without exactly one grant',
    `SELECT w.id, sum(amount) FROM tenancy.workspaces AS w LEFT JOIN credits.ledger AS l
       ON l.workspace_id = w.id AND kind = 'topup' AND credit_type = 'sms' AND reference NOT LIKE 'billing:%'
     WHERE w.billing_customer IS NOT NULL GROUP BY 1 HAVING sum(amount) IS DISTINCT FROM $1`,
    [GRANT],
  );
  await checker.noRows('events in the outbox', 'SELECT id, type, available_at, queue FROM messaging.outbox');
}
