import type { Pool } from 'pg';
import type { StoredTimeline } from './timeline-entry';

interface SmsRow {
  status: string;
  recipient: string;
  header: string;
  segments: number;
  encoding: string;
  submits: number;
  carrier: string | null;
  last_error: string | null;
  correlation_id: string | null;
  campaign_id: string | null;
  template_id: string | null;
  created_at: Date;
  scheduled_at: Date | null;
  sent_at: Date | null;
  finished_at: Date | null;
  parts: { upstream_id: string; state: string | null }[] | null;
}

export async function smsTimeline(pool: Pool, owner: [string, string, string | null]): Promise<StoredTimeline | null> {
  const { rows } = await pool.query<SmsRow>(
    `SELECT m.status, m.recipient, m.header, m.segments, m.encoding, m.submits, m.carrier, m.last_error, m.correlation_id,
       m.campaign_id, m.template_id, m.created_at, m.scheduled_at, m.sent_at, m.finished_at,
       (SELECT json_agg(json_build_object('upstream_id', p.upstream_id, 'state', p.state))
        FROM sms.parts AS p WHERE p.message_id = m.id AND m.segments > 1) AS parts
     FROM sms.messages AS m
     WHERE m.id = $1 AND m.organization_id = $2 AND ($3::uuid IS NULL OR m.workspace_id = $3)`,
    owner,
  );
  const [row] = rows;
  if (!row) return null;
  const { carrier, last_error: error } = row;
  const isFailed = row.status === 'failed';
  return {
    status: row.status,
    references: [`sms:${owner[0]}`],
    entries: [
      {
        ...{ at: row.created_at, type: 'accepted' },
        summary: `The message from ${row.header} to ${row.recipient} was accepted.`,
        details: {
          ...{ request_id: row.correlation_id, template_id: row.template_id, campaign_id: row.campaign_id },
          ...{ segments: row.segments, encoding: row.encoding },
        },
      },
      ...(row.scheduled_at
        ? [
            {
              at: row.created_at,
              type: 'scheduled' as const,
              summary: `It was scheduled for ${iso(row.scheduled_at)}.`,
            },
          ]
        : []),
      {
        ...{ at: row.sent_at, type: 'sent', summary: `The carrier ${carrier ?? ''} accepted it.`.replace('  ', ' ') },
        details: { carrier, submits: row.submits, ...(row.parts ? { parts: row.parts } : {}) },
      },
      {
        ...{ at: row.status === 'delivered' ? row.finished_at : null, type: 'delivered' },
        ...{ summary: 'The receipt of the carrier reports the delivery.', details: { carrier } },
      },
      {
        ...{ at: isFailed ? row.finished_at : null, type: 'failed' },
        summary: row.sent_at ? 'The receipt of the carrier reports a failure.' : 'No carrier accepted it.',
        details: { carrier, error, submits: row.submits },
      },
      {
        ...{ at: row.status === 'canceled' ? (row.finished_at ?? row.created_at) : null, type: 'canceled' },
        summary: 'It was canceled before it was sent.',
      },
    ],
  };
}

function iso(date: Date): string {
  return date.toISOString();
}
