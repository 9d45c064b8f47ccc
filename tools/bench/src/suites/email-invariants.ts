import { reconcile } from '@heliograph/credits';
import { GRANT } from '@heliograph/harness';
import type { Client } from 'pg';
import { countOf } from './progress';

export interface EmailCounts {
  /** That were accepted and charged. */
  recipients: number;
  /** Mails of theirs that the server has taken. */
  received: number;
  notifications: number;
  refused: number;
}

/** What must hold once all is settled, named by what is wrong when it does not. */
export async function brokenEmail(
  client: Client,
  { recipients, received, notifications, refused }: EmailCounts,
): Promise<string[]> {
  const events = (type: string): Promise<number> =>
    countOf(client, 'SELECT count(*) FROM email.events WHERE type = $1', [type]);
  const checks: [string, number, number][] = [
    ['mails at the server', received, recipients],
    [
      'credits in the ledger',
      await countOf(client, `SELECT sum(amount) FROM credits.ledger WHERE credit_type = 'email'`),
      GRANT - recipients,
    ],
    ['notifications that were refused', refused, 0],
    ['deliveries in the report', await events('delivered'), Math.ceil(notifications / 2)],
    ['bounces in the report', await events('bounced'), Math.floor(notifications / 2)],
    [
      'suppressed addresses',
      await countOf(client, 'SELECT count(*) FROM email.suppressions'),
      Math.floor(notifications / 2),
    ],
    ['balances that differ from their ledger', (await reconcile(client)).length, 0],
  ];
  return checks
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what}: ${found}, not ${wanted}`);
}
