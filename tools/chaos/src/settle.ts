import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const CHECK_EVERY_MS = 250;
/** Consecutive checks without pending work: a payment reminder may be requested a moment after everything else is done. */
const QUIET_CHECKS = 8;
const MAX_WAIT_MS = 600_000;

const PENDING = `
  SELECT ((SELECT count(*) FROM sms.messages WHERE status IN ('queued', 'sent')) + (SELECT count(*) FROM messaging.outbox)
    + (SELECT count(*) FROM chatapp.messages WHERE direction = 'outbound' AND status = 'accepted')
    + (SELECT count(*) FROM chatapp.unmatched_statuses)
    + (SELECT count(*) FROM email.messages WHERE status IN ('scheduled', 'sending'))
    + (SELECT count(*) FROM email.recipients WHERE state = 'deferred')
    + (SELECT count(*) FROM campaigns.campaigns WHERE status IN ('scheduled', 'running') OR status = 'canceled' AND finished_at IS NULL) + (SELECT count(*) FROM campaigns.results)
    + (SELECT count(*) FROM contacts.imports WHERE status IN ('queued', 'running'))
    + abs((SELECT count(*) FROM billing.receipts)
        - (SELECT count(*) FROM email.messages WHERE organization_id IS NULL AND attachments->0 IS NOT NULL))
    + (SELECT count(*) FROM billing.events WHERE settled_at IS NULL)
    + (SELECT count(*) FROM billing.invoices WHERE status = 'paid' AND id NOT IN (SELECT invoice_id FROM billing.receipts)))::int AS pending`;

/**
 * Makes deferred emails due now, because their last retries would be due only after hours. A notification can end an email
 * that is deferred; the event of its retry then changes nothing. A repeated event that must wait has its own id.
 */
const RETRY_EMAILS_NOW = `
  WITH due AS (
    UPDATE email.recipients SET next_try_at = now() WHERE state = 'deferred' AND next_try_at > now()
    RETURNING message_id)
  UPDATE messaging.outbox AS o SET available_at = now()
  FROM email.messages AS m
  WHERE o.type = 'email.due' AND o.available_at > now() AND m.id = (o.payload -> 'data' ->> 'messageId')::uuid
    AND (m.id IN (SELECT message_id FROM due) OR m.status NOT IN ('scheduled', 'sending'))`;

/** Waits until every message is final, every payment has its effects and its receipt, and the outbox is empty. See `untilDone`. */
export async function untilSettled(database: Client, timeoutMs: number): Promise<void> {
  let quiet = 0;
  await untilDone(
    async () => {
      await database.query(RETRY_EMAILS_NOW);
      const { rows } = await database.query<{ pending: number }>(PENDING);
      const pending = rows[0]?.pending ?? 0;
      quiet = pending === 0 ? quiet + 1 : 0;
      return pending + Math.max(0, QUIET_CHECKS - quiet);
    },
    { timeoutMs, everyMs: CHECK_EVERY_MS },
  );
}

/**
 * Waits until no work is pending, or until the pending work has not become less for `timeoutMs`, or until `MAX_WAIT_MS`. A slow machine
 * is not a violation.
 */
export async function untilDone(
  countPending: () => Promise<number>,
  { timeoutMs, everyMs }: { timeoutMs: number; everyMs: number },
): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS;
  let deadline = end;
  let fewest = Infinity;
  while (Date.now() < Math.min(deadline, end)) {
    const pending = await countPending();
    if (pending === 0) return;
    if (pending < fewest) {
      fewest = pending;
      deadline = Date.now() + timeoutMs;
    }
    await delay(everyMs);
  }
}
