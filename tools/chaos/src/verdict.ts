import { setTimeout as delay } from 'node:timers/promises';
import { findBrokenEntries, reconcile } from '@heliograph/credits';
import { GRANT } from '@heliograph/harness';
import type { CarrierSimulator } from '@heliograph/simulators';
import type { Client } from 'pg';
import type { Callers } from './client';
import { hastenMails } from './mails/mails-verdict';

/** A reminder of a payment may be asked for a moment after all else is done. */
const CALM_LOOKS = 8;

/**
 * Waits until nothing moves any more, or the time is up: every message and every mail is final, every payment has its
 * effects and its receipt, and the outbox is empty.
 */
export async function untilSettled(database: Client, timeoutMs: number): Promise<void> {
  let calm = 0;
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(250)) {
    await hastenMails(database);
    const { rows } = await database.query<{ open: string }>(`
      SELECT (SELECT count(*) FROM sms.messages WHERE status IN ('queued', 'sent')) + (SELECT count(*) FROM messaging.outbox)
        + (SELECT count(*) FROM chatapp.messages WHERE direction = 'outbound' AND status = 'accepted')
        + (SELECT count(*) FROM chatapp.parked_statuses)
        + (SELECT count(*) FROM email.messages WHERE status IN ('scheduled', 'sending'))
        + (SELECT count(*) FROM email.recipients WHERE state = 'deferred')
        + abs((SELECT count(*) FROM billing.receipts)
            - (SELECT count(*) FROM email.messages WHERE organization_id IS NULL AND attachments->0 IS NOT NULL))
        + (SELECT count(*) FROM billing.events WHERE settled_at IS NULL)
        + (SELECT count(*) FROM billing.invoices WHERE status = 'paid' AND id NOT IN (SELECT invoice_id FROM billing.receipts)) AS open`);
    calm = rows[0]?.open === '0' ? calm + 1 : 0;
    if (calm === CALM_LOOKS) return;
  }
}

/** Everything that is wrong with the sends and the ledger after a run; empty is what it must be. */
export async function sendViolations(database: Client, callers: Callers, carrier: CarrierSimulator): Promise<string[]> {
  const found = [...callers.problems];
  const check = async (what: string, text: string, values: unknown[] = []): Promise<void> => {
    const { rows } = await database.query<Record<string, unknown>>(text, values);
    if (rows.length > 0) found.push(`${what}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  };
  const ids = [...callers.accepted.values()];
  await check(
    'acknowledged and lost',
    'SELECT id FROM unnest($1::uuid[]) AS id WHERE id NOT IN (SELECT id FROM sms.messages)',
    [ids],
  );
  await check('stored twice for one key', 'SELECT id FROM sms.messages WHERE id <> ALL ($1::uuid[])', [ids]);
  await check(
    'charged other than once',
    `
    SELECT m.id, count(l.id) FROM sms.messages AS m LEFT JOIN credits.ledger AS l ON l.reference = 'sms:' || m.id AND l.kind = 'charge'
    GROUP BY m.id HAVING count(l.id) <> 1`,
  );
  await check(
    'charged for nothing',
    `
    SELECT reference FROM credits.ledger WHERE kind = 'charge' AND credit_type = 'sms' AND reference NOT IN (SELECT 'sms:' || id FROM sms.messages)`,
  );
  await check(
    'refunded wrongly',
    `
    SELECT m.id, m.status, m.last_error, l.id IS NOT NULL AS refunded FROM sms.messages AS m
    LEFT JOIN credits.ledger AS l ON l.reference = 'sms:' || m.id AND l.kind = 'refund'
    WHERE (l.id IS NOT NULL) <> (m.status = 'failed' AND m.last_error LIKE '%refused%')`,
  );
  for (const difference of await reconcile(database))
    found.push(`balance and ledger differ: ${JSON.stringify(difference)}`);
  for (const entry of await findBrokenEntries(database))
    found.push(`an entry does not follow: ${JSON.stringify(entry)}`);
  await check(
    'granted other than once',
    `
    SELECT w.id, sum(amount) FROM tenancy.workspaces AS w LEFT JOIN credits.ledger AS l
      ON l.workspace_id = w.id AND kind = 'topup' AND credit_type = 'sms' AND reference NOT LIKE 'billing:%'
    WHERE w.billing_customer IS NOT NULL GROUP BY 1 HAVING sum(amount) IS DISTINCT FROM $1`,
    [GRANT],
  );
  await check(
    'neither final nor explained',
    `
    SELECT id, status, submits, claimed_until, last_error FROM sms.messages
    WHERE NOT (status = 'delivered' OR (status = 'failed' AND last_error IS NOT NULL))`,
  );
  await check('events left in the outbox', 'SELECT id, type, available_at, queue FROM messaging.outbox');
  await check(
    'receipts left parked',
    'SELECT * FROM sms.parked_receipts AS k JOIN sms.parts AS p USING (carrier, upstream_id)',
  );
  const { rows } = await database.query<{ recipient: string }>(
    `SELECT recipient FROM sms.messages WHERE status = 'delivered'`,
  );
  const reached = new Set(
    carrier
      .messages()
      .filter(({ accepted }) => accepted)
      .map(({ destination }) => destination),
  );
  const missing = rows.filter(({ recipient }) => !reached.has(recipient.slice(1)));
  if (missing.length > 0) found.push(`delivered without the carrier: ${missing.length}`);
  return found;
}
