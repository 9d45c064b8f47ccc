import type { MailboxSimulator } from '@heliograph/simulators';
import type { Client } from 'pg';
import type { Mailer } from './mailer';
import type { Uncertainty } from './moods';

interface Outcome {
  mailer: Mailer;
  mailbox: MailboxSimulator;
  /** Cuts, silence, and processes that were killed. */
  uncertain: readonly Uncertainty[];
}

/** What the database says of the mails that are called the same: wanted ones were to arrive and were not refused. */
interface Told {
  name: string;
  address: string;
  wanted: number;
  mails: number;
}

/** What is wrong with the mails after a run. */
export async function mailViolations(client: Client, { mailer, mailbox, uncertain }: Outcome): Promise<string[]> {
  return [
    ...mailer.problems,
    ...(await wrongRows(client, mailer)),
    ...wrongCopies(await toldMails(client), arrivals(mailbox), uncertain),
  ];
}

/** The files of the receipts that were mailed, each as often as it was. */
export async function mailedReceipts(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ file: string }>(
    `SELECT attachments->0->>'filename' AS file FROM email.messages
     WHERE organization_id IS NULL AND attachments->0 IS NOT NULL`,
  );
  return rows.map(({ file }) => file);
}

/** Retries that are hours away in the end would be waited for here: those that are deferred are due now. */
export async function hastenMails(client: Client): Promise<void> {
  await client.query(`
    WITH hastened AS (
      UPDATE email.recipients SET next_try_at = now() WHERE state = 'deferred' AND next_try_at > now()
      RETURNING message_id)
    UPDATE messaging.outbox SET available_at = now() WHERE id IN (SELECT message_id FROM hastened)`);
}

async function wrongRows(client: Client, mailer: Mailer): Promise<string[]> {
  const found: string[] = [];
  const check = async (what: string, text: string, values: unknown[] = []): Promise<void> => {
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    if (rows.length > 0) found.push(`${what}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  };
  await check(
    'mails acknowledged and lost',
    'SELECT id FROM unnest($1::uuid[]) AS id WHERE id NOT IN (SELECT id FROM email.messages)',
    [mailer.answered.map(({ id }) => id)],
  );
  await check(
    'canceled for the caller alone',
    `SELECT id, status FROM email.messages WHERE id = ANY ($1::uuid[]) AND status <> 'canceled'`,
    [mailer.canceled],
  );
  await check(
    'mails without an end',
    `SELECT m.id, m.status, r.* FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
     WHERE m.status IN ('scheduled', 'sending') OR r.state IN ('waiting', 'sending', 'deferred')`,
  );
  await check(
    'sent twice for one call',
    `SELECT subject, array_agg(status) FROM email.messages WHERE subject ~ '^Mail \\d+$' AND status <> 'failed'
     GROUP BY subject HAVING count(*) > 1`,
  );
  // No notification comes back in these runs: what bounced is what the backend refused in the end.
  await check(
    'charged other than the mails that were not refused, skipped or canceled',
    `SELECT m.id, m.status, l.paid, r.due FROM email.messages AS m
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE r.state = 'sent' AND r.outcome IS DISTINCT FROM 'bounced') AS due
       FROM email.recipients AS r WHERE r.message_id = m.id) AS r
     CROSS JOIN LATERAL (
       SELECT coalesce(-sum(l.amount), 0) AS paid FROM credits.ledger AS l
       WHERE l.reference = 'email:' || m.id OR l.reference LIKE 'email:' || m.id || ':%') AS l
     WHERE m.organization_id IS NOT NULL AND l.paid <> r.due`,
  );
  await check(
    'mails charged for that are not there',
    `SELECT reference FROM credits.ledger WHERE reference LIKE 'email:%'
       AND split_part(reference, ':', 2) NOT IN (SELECT id::text FROM email.messages WHERE organization_id IS NOT NULL)`,
  );
  const refused = mailer.answered.flatMap(({ id, results }) =>
    results.filter(({ ok, skipped }) => !ok && !skipped).map(({ to }) => ({ id, address: to })),
  );
  await check(
    'refused for the caller alone',
    `SELECT told.id, told.address, r.state FROM json_to_recordset($1) AS told (id uuid, address text)
     JOIN email.recipients AS r ON r.message_id = told.id AND r.address = told.address WHERE r.state <> 'failed'`,
    [JSON.stringify(refused)],
  );
  return found;
}

async function toldMails(client: Client): Promise<Told[]> {
  const { rows } = await client.query<Told>(
    `SELECT coalesce(m.attachments->0->>'filename', m.subject) AS name, r.address, count(*)::integer AS mails,
       count(*) FILTER (WHERE r.state = 'sent' AND r.outcome IS DISTINCT FROM 'bounced')::integer AS wanted
     FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id GROUP BY 1, 2`,
  );
  return rows;
}

/** When each mail arrived, by name and recipient. */
function arrivals(mailbox: MailboxSimulator): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const { envelope, raw, at } of mailbox.mails()) {
    const text = raw.toString('latin1');
    const file = /filename="?(receipt-[\w.-]+)/.exec(text)?.[1];
    const subject = /^Subject: ((?:[^\r\n]|\r\n[ \t])*)/m.exec(text)?.[1]?.replaceAll(/\r\n[ \t]+/g, ' ');
    const key = `${file ?? subject} to ${envelope.to[0]}`;
    times.set(key, [...(times.get(key) ?? []), at.getTime()]);
  }
  return times;
}

/** Nobody gets nothing who was to get a mail, or three, or two unless the first may have gone without an answer. */
function wrongCopies(told: Told[], arrived: Map<string, number[]>, uncertain: readonly Uncertainty[]): string[] {
  const found: string[] = [];
  const unknown = new Set(arrived.keys());
  for (const { name, address, wanted, mails } of told) {
    const key = `${name} to ${address}`;
    unknown.delete(key);
    const times = arrived.get(key) ?? [];
    if (times.length < wanted) found.push(`${key} came ${times.length} times instead of ${wanted}`);
    if (times.length > 2 * mails) found.push(`${key} came ${times.length} times`);
    if (times.length <= wanted) continue;
    const [first, last] = [Math.min(...times), wanted === 0 ? Date.now() : Math.max(...times)];
    if (!uncertain.some(({ from, to }) => from <= last && to >= first)) {
      const when = `between ${new Date(first).toISOString()} and ${new Date(last).toISOString()}`;
      found.push(`${key} came ${times.length} times instead of ${wanted} ${when}, and nothing had happened`);
    }
  }
  for (const key of unknown) found.push(`${key} came, and nobody had sent it`);
  return found.length > 10 ? [`${found.length} mails, such as:`, ...found.slice(0, 10)] : found;
}
