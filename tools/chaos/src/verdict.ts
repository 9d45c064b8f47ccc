import { setTimeout as delay } from 'node:timers/promises';
import { GRANT } from '@heliograph/harness';
import type { CarrierSimulator } from '@heliograph/simulators';
import type { Client } from 'pg';
import type { Callers } from './client';

/** Waits until nothing moves any more: every message is final and the outbox is empty, or the time is up. */
export async function untilSettled(database: Client, timeoutMs: number): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(250)) {
    const { rows } = await database.query<{ open: string }>(`
      SELECT (SELECT count(*) FROM sms.messages WHERE status IN ('queued', 'sent')) + (SELECT count(*) FROM messaging.outbox) AS open`);
    if (rows[0]?.open === '0') return;
  }
}

/** Everything that is wrong after a run; empty is what it must be. */
export async function violations(database: Client, callers: Callers, carrier: CarrierSimulator): Promise<string[]> {
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
    SELECT reference FROM credits.ledger WHERE kind = 'charge' AND reference NOT IN (SELECT 'sms:' || id FROM sms.messages)`,
  );
  await check(
    'refunded wrongly',
    `
    SELECT m.id, m.status, m.last_error, l.id IS NOT NULL AS refunded FROM sms.messages AS m
    LEFT JOIN credits.ledger AS l ON l.reference = 'sms:' || m.id AND l.kind = 'refund'
    WHERE (l.id IS NOT NULL) <> (m.status = 'failed' AND m.last_error LIKE '%refused%')`,
  );
  await check(
    'balance and ledger differ',
    `
    SELECT a.workspace_id, a.balance, sum(l.amount) FROM credits.accounts AS a JOIN credits.ledger AS l USING (workspace_id, credit_type)
    GROUP BY 1, 2 HAVING a.balance <> sum(l.amount)`,
  );
  await check(
    'granted other than once',
    `
    SELECT workspace_id, sum(amount) FROM credits.ledger WHERE kind = 'topup' GROUP BY 1 HAVING sum(amount) <> $1`,
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
