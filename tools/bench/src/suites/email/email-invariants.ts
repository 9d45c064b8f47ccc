import { reconcile } from '@heliograph/credits';
import { GRANT } from '@heliograph/harness';
import type { Client } from 'pg';
import { numberOf, violationsOf } from '../queries';

export interface EmailCounts {
  /** Recipients that were accepted and charged. */
  recipients: number;
  /** Emails to these recipients that the mail server received. */
  received: number;
  notifications: number;
  refused: number;
}

export async function emailViolations(client: Client, counts: EmailCounts): Promise<string[]> {
  const { recipients, received, notifications, refused } = counts;
  const events = (type: string): Promise<number> =>
    numberOf(client, 'SELECT count(*) FROM email.events WHERE type = $1', [type]);
  const bounced = Math.floor(notifications / 2);
  return violationsOf([
    ['emails at the mail server', received, recipients],
    [
      'credits in the ledger',
      await numberOf(client, `SELECT sum(amount) FROM credits.ledger WHERE credit_type = 'email'`),
      GRANT - recipients,
    ],
    ['refused notifications', refused, 0],
    ['stored deliveries', await events('delivered'), Math.ceil(notifications / 2)],
    ['stored bounces', await events('bounced'), bounced],
    ['suppressed addresses', await numberOf(client, 'SELECT count(*) FROM email.suppressions'), bounced],
    ['balances that differ from the ledger', (await reconcile(client)).length, 0],
  ]);
}
