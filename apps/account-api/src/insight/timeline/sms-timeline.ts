import type { Pool } from 'pg';
import {
  ACCEPTED_COLUMNS,
  acceptedEntries,
  KEY_JOIN,
  queueEntries,
  type AcceptedRow,
  type StoredAttempt,
  type StoredTimeline,
  type TimelineEntry,
} from './timeline-entry';

interface SmsRow extends AcceptedRow {
  status: string;
  recipient: string;
  header: string;
  segments: number;
  encoding: string;
  submits: number;
  carrier: string | null;
  last_error: string | null;
  campaign_id: string | null;
  template_id: string | null;
  claimed_at: Date | null;
  scheduled_at: Date | null;
  sent_at: Date | null;
  finished_at: Date | null;
  attempts: StoredAttempt[] | null;
  upstream_ids: string[] | null;
  /** The parts of a message with several parts, as long as receipts are matched. */
  parts: SubmittedPart[] | null;
}

interface SubmittedPart {
  upstream_id: string;
  state: string | null;
}

export async function smsTimeline(pool: Pool, owner: [string, string, string | null]): Promise<StoredTimeline | null> {
  const { rows } = await pool.query<SmsRow>(
    `SELECT m.status, m.recipient, m.header, m.segments, m.encoding, m.submits, m.carrier, m.last_error,
       m.campaign_id, m.template_id, ${ACCEPTED_COLUMNS}, m.scheduled_at, m.claimed_at, m.attempts, m.sent_at, m.finished_at, m.upstream_ids,
       (SELECT json_agg(json_build_object('upstream_id', p.upstream_id, 'state', p.state))
        FROM sms.parts AS p WHERE p.message_id = m.id AND m.segments > 1) AS parts
     FROM sms.messages AS m ${KEY_JOIN}
     WHERE m.id = $1 AND m.organization_id = $2 AND ($3::uuid IS NULL OR m.workspace_id = $3)`,
    owner,
  );
  const [row] = rows;
  if (!row) return null;
  const { carrier, last_error: error } = row;
  const isFailed = row.status === 'failed';
  const parts = submittedParts(row);
  return {
    status: row.status,
    references: [`sms:${owner[0]}`],
    entries: [
      ...acceptedEntries('sms', row, `The message from ${row.header} to ${row.recipient} was accepted.`, {
        template_id: row.template_id,
        campaign_id: row.campaign_id,
        segments: row.segments,
        encoding: row.encoding,
      }),
      ...queueEntries(row.created_at, row.scheduled_at, row.status === 'canceled'),
      { at: row.claimed_at, type: 'claimed', summary: 'A worker claimed the message from the queue.' },
      ...(row.attempts ?? []).map(attemptEntry),
      {
        at: row.sent_at,
        type: 'sent',
        summary: `The carrier ${carrier ?? ''} accepted the message.`.replace('  ', ' '),
        details: { carrier, submits: row.submits, ...(parts.length > 0 ? { parts } : {}) },
      },
      {
        at: row.status === 'delivered' ? row.finished_at : null,
        type: 'delivered',
        summary: 'The receipt of the carrier reported the delivery.',
        details: { carrier },
      },
      {
        at: isFailed ? row.finished_at : null,
        type: 'failed',
        summary: row.sent_at ? 'The receipt of the carrier reported a failure.' : 'No carrier accepted the message.',
        details: { carrier, error, submits: row.submits },
      },
      {
        at: row.status === 'canceled' ? (row.finished_at ?? row.created_at) : null,
        type: 'canceled',
        summary: 'The message was canceled before it was sent.',
      },
    ],
  };
}

/** The ids in the responses to the accepted submit, in order, with the states that the receipts reported. */
function submittedParts({ status, sent_at, upstream_ids: ids, parts }: SmsRow): SubmittedPart[] {
  // Messages that were sent before the ids were stored with them.
  if (ids === null) return parts ?? [];
  const [single, ...others] = ids;
  if (single !== undefined && others.length === 0) {
    const failed = status === 'failed' && sent_at !== null ? 'failed' : null;
    return [{ upstream_id: single, state: status === 'delivered' ? status : failed }];
  }
  const states = new Map((parts ?? []).map(({ upstream_id, state }) => [upstream_id, state]));
  return ids.map((id) => ({ upstream_id: id, state: states.get(id) ?? null }));
}

const OUTCOMES: Readonly<Record<string, string>> = {
  throttled: 'The carrier throttled the submit, so it was repeated.',
  refused: 'The carrier refused the message.',
  unresolved: 'The carrier did not respond to the submit, so the message is submitted again.',
  given_up: 'The carrier did not respond to the last submit.',
  held: 'The carrier did not respond to the submit, so the message counts as sent.',
};

function attemptEntry({ at, upstream, outcome, error, part, upstream_ids }: StoredAttempt): TimelineEntry {
  return {
    at: new Date(at),
    type: 'attempted',
    summary: OUTCOMES[outcome] ?? 'A submit failed.',
    details: {
      carrier: upstream ?? null,
      error,
      ...(part === undefined ? {} : { part }),
      ...(upstream_ids === undefined ? {} : { upstream_ids }),
    },
  };
}
