import type { MailboxSimulator } from '@heliograph/simulators';
import type { InvariantChecker } from '../invariant-checker';
import type { EmailWorkload } from './email-workload';
import type { UncertainPeriod } from './mailbox-fault-injector';

interface EmailRun {
  emails: EmailWorkload;
  mailbox: MailboxSimulator;
  /** Disconnects, missing answers and killed processes. */
  uncertain: readonly UncertainPeriod[];
}

/** The stored emails of one name and recipient. */
interface StoredEmail {
  name: string;
  address: string;
  /** The expected number of emails. */
  expected: number;
  total: number;
}

/**
 * Every accepted email is final, charged for its recipients, and arrived once. Twice, or not at all, only if its outcome was
 * uncertain: after two submissions without a response, the recipient counts as sent, with the reason as its last error.
 */
export async function checkEmails(checker: InvariantChecker, { emails, mailbox, uncertain }: EmailRun): Promise<void> {
  checker.add(emails.problems);
  await checkStoredEmails(checker, emails);
  const { rows } = await checker.database.query<StoredEmail>(
    `SELECT coalesce(m.attachments->0->>'filename', m.subject) AS name, r.address, count(*)::integer AS total,
       count(*) FILTER (WHERE r.state = 'sent' AND r.last_error IS NULL AND r.outcome IS DISTINCT FROM 'bounced')::integer
         AS expected
     FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id GROUP BY 1, 2`,
  );
  checker.add(wrongDeliveries(rows, deliveryTimes(mailbox), uncertain));
}

async function checkStoredEmails(checker: InvariantChecker, emails: EmailWorkload): Promise<void> {
  await checker.noRows(
    'emails acknowledged and lost',
    'SELECT id FROM unnest($1::uuid[]) AS id WHERE id NOT IN (SELECT id FROM email.messages)',
    [emails.answered.map(({ id }) => id)],
  );
  await checker.noRows(
    'emails whose acknowledged cancellation is not stored',
    `SELECT id, status FROM email.messages WHERE id = ANY ($1::uuid[]) AND status <> 'canceled'`,
    [emails.canceled],
  );
  await checker.noRows(
    'emails without a final state',
    `SELECT m.id, m.status, r.* FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
     WHERE m.status IN ('scheduled', 'sending') OR r.state IN ('waiting', 'sending', 'deferred')`,
  );
  await checker.noRows(
    'emails stored twice for one call',
    `SELECT subject, array_agg(status) FROM email.messages WHERE subject ~ '^Mail \\d+$' AND status <> 'failed'
     GROUP BY subject HAVING count(*) > 1`,
  );
  // No notifications are sent in these runs: a bounce is a final rejection by the mail server.
  await checker.noRows(
    'emails whose charge differs from their sent recipients',
    `SELECT m.id, m.status, l.paid, r.due FROM email.messages AS m
     CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE r.state = 'sent' AND r.outcome IS DISTINCT FROM 'bounced') AS due
       FROM email.recipients AS r WHERE r.message_id = m.id) AS r
     CROSS JOIN LATERAL (
       SELECT coalesce(-sum(l.amount), 0) AS paid FROM credits.ledger AS l
       WHERE l.reference = 'email:' || m.id OR l.reference LIKE 'email:' || m.id || ':%') AS l
     WHERE m.organization_id IS NOT NULL AND l.paid <> r.due`,
  );
  await checker.noRows(
    'email charges without a message',
    `SELECT reference FROM credits.ledger WHERE reference LIKE 'email:%'
       AND split_part(reference, ':', 2) NOT IN (SELECT id::text FROM email.messages WHERE organization_id IS NOT NULL)`,
  );
  const refused = emails.answered.flatMap(({ id, results }) =>
    results.filter(({ ok, skipped }) => !ok && !skipped).map(({ to }) => ({ id, address: to })),
  );
  await checker.noRows(
    'recipients reported as failed that are stored otherwise',
    `SELECT reported.id, reported.address, r.state FROM json_to_recordset($1) AS reported (id uuid, address text)
     JOIN email.recipients AS r ON r.message_id = reported.id AND r.address = reported.address WHERE r.state <> 'failed'`,
    [JSON.stringify(refused)],
  );
}

/** The file names of the receipts that were sent by email. */
export function emailedReceipts(checker: InvariantChecker): Promise<string[]> {
  return checker.column(
    `SELECT attachments->0->>'filename' FROM email.messages
     WHERE organization_id IS NULL AND attachments->0 IS NOT NULL`,
  );
}

/** The arrival times of emails, by name and recipient. */
function deliveryTimes(mailbox: MailboxSimulator): Map<string, number[]> {
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

/** An email must arrive as often as expected; once more only if an uncertain period overlaps its deliveries; never three times. */
function wrongDeliveries(
  stored: readonly StoredEmail[],
  delivered: ReadonlyMap<string, number[]>,
  uncertain: readonly UncertainPeriod[],
): string[] {
  const found: string[] = [];
  const unknown = new Set(delivered.keys());
  for (const { name, address, expected, total } of stored) {
    const key = `${name} to ${address}`;
    unknown.delete(key);
    const times = delivered.get(key) ?? [];
    if (times.length < expected) found.push(`${key} arrived ${times.length} times instead of ${expected}`);
    if (times.length > 2 * total) found.push(`${key} arrived ${times.length} times`);
    if (times.length <= expected) continue;
    const first = Math.min(...times);
    const last = expected === 0 ? Date.now() : Math.max(...times);
    if (!uncertain.some(({ from, to }) => from <= last && to >= first)) {
      const period = `between ${new Date(first).toISOString()} and ${new Date(last).toISOString()}`;
      found.push(`${key} arrived ${times.length} times instead of ${expected} ${period}, without any fault`);
    }
  }
  for (const key of unknown) found.push(`${key} arrived, but is not stored`);
  return found;
}
