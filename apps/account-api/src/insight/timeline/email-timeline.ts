import type { Pool } from 'pg';
import { EMAIL_STATUS, EMAIL_TABLES } from '@heliograph/email-catalog';
import { v1Timestamp } from '@heliograph/service-kit';
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
import type { TimelineType } from './timeline.dto';

interface EmailRow extends AcceptedRow {
  status: string;
  from_address: string;
  subject: string;
  campaign_id: string | null;
  template_id: string | null;
  unsubscribe_scope: string;
  scheduled_at: Date | null;
}

interface RecipientRow {
  position: number;
  kind: string;
  address: string;
  state: string;
  attempts: number;
  first_tried_at: Date | null;
  next_try_at: Date | null;
  sent_at: Date | null;
  last_error: string | null;
  history: StoredAttempt[] | null;
}

interface EventRow {
  position: number;
  type: TimelineType;
  occurred_at: Date;
  url: string | null;
  reason: string | null;
  scope: string | null;
}

const EVENTS: Partial<Record<TimelineType, string>> = {
  delivered: 'was delivered',
  bounced: 'bounced',
  opened: 'was opened',
  clicked: 'had a link that was clicked',
  complained: 'was reported as spam',
  unsubscribed: 'led to an unsubscribe',
};

const ATTEMPTS: Record<string, (to: string) => string> & Record<'refused', (to: string) => string> = {
  deferred: (to) => `The mail server did not accept the email to ${to} yet.`,
  uncertain: (to) => `The mail server did not confirm the email to ${to}, so it may have been delivered.`,
  held: (to) => `The email to ${to} could not be composed or signed, so nothing was submitted.`,
  refused: (to) => `The mail server refused the email to ${to} permanently.`,
};

export async function emailTimeline(
  pool: Pool,
  owner: [string, string, string | null],
): Promise<StoredTimeline | null> {
  const { rows } = await pool.query<EmailRow>(
    `SELECT ${EMAIL_STATUS} AS status, m.from_address, m.subject, m.campaign_id, m.template_id, m.unsubscribe_scope, ${ACCEPTED_COLUMNS}, m.scheduled_at
     FROM ${EMAIL_TABLES} ${KEY_JOIN}
     WHERE m.id = $1 AND m.organization_id = $2 AND ($3::uuid IS NULL OR m.workspace_id = $3)`,
    owner,
  );
  const [row] = rows;
  if (!row) return null;
  const [id] = owner;
  const { rows: recipients } = await pool.query<RecipientRow>(
    `SELECT position, kind, address, state, attempts, first_tried_at, next_try_at, sent_at, last_error, history
     FROM email.recipients WHERE message_id = $1 ORDER BY position`,
    [id],
  );
  const { rows: events } = await pool.query<EventRow>(
    'SELECT position, type, occurred_at, url, reason, scope FROM email.events WHERE message_id = $1 ORDER BY occurred_at',
    [id],
  );
  const addresses = new Map(recipients.map(({ position, address }) => [position, address]));
  return {
    status: row.status,
    references: [
      `email:${id}`,
      `email:${id}:skipped`,
      ...recipients.flatMap(({ position }) => [`email:${id}:${position}`, `email:${id}:erased:${position}`]),
    ],
    entries: [
      ...acceptedEntries(
        'email',
        row,
        `The email from ${row.from_address} to ${recipients.length} recipient(s) was accepted.`,
        {
          template_id: row.template_id,
          campaign_id: row.campaign_id,
          subject: row.subject,
          unsubscribe_scope: row.unsubscribe_scope,
        },
      ),
      ...queueEntries(row.created_at, row.scheduled_at, row.status === 'canceled'),
      ...recipients.flatMap((recipient) => entriesOf(recipient, row)),
      ...events.map(({ position, type, occurred_at: at, url, reason, scope }) => {
        const to = addresses.get(position) ?? '';
        const summary = `The email to ${to} ${EVENTS[type] ?? type}.`;
        const details = { to, ...(url ? { url } : {}), ...(reason ? { reason } : {}), ...(scope ? { scope } : {}) };
        return { at, type, summary, details };
      }),
    ],
  };
}

function entriesOf(recipient: RecipientRow, { created_at: createdAt }: EmailRow): TimelineEntry[] {
  const { kind, address: to, state, attempts, last_error: error, first_tried_at: tried, sent_at: sent } = recipient;
  const details = { to, kind, attempts, ...(error ? { error } : {}) };
  return [
    ...(recipient.history ?? []).map(({ at, outcome, error: reason }): TimelineEntry => {
      const summary = (ATTEMPTS[outcome] ?? ATTEMPTS.refused)(to);
      return { at: new Date(at), type: 'attempted', summary, details: { to, error: reason } };
    }),
    {
      at: state === 'deferred' ? (tried ?? createdAt) : null,
      type: 'deferred',
      summary: `The email to ${to} is retried.`,
      details: { ...details, next_try_at: v1Timestamp(recipient.next_try_at) },
    },
    {
      at: state === 'sent' ? sent : null,
      type: 'sent',
      summary: `The mail server accepted the email to ${to}.`,
      details,
    },
    {
      at: state === 'failed' ? (tried ?? createdAt) : null,
      type: 'failed',
      details,
      summary: `The mail server refused the email to ${to}.`,
    },
    {
      at: state === 'skipped' ? createdAt : null,
      type: 'skipped',
      details: { to },
      summary: `The address ${to} is suppressed, so nothing was sent to it.`,
    },
    {
      at: state === 'canceled' ? createdAt : null,
      type: 'canceled',
      details: { to },
      summary: `The email to ${to} was canceled before it was sent.`,
    },
  ];
}
