import { emailRecord, type EmailRecord } from '@heliograph/contracts';
import { v1Timestamp } from '@heliograph/service-kit';

export const V1_EMAIL_STATUSES = emailRecord.shape.status.options;
export type V1EmailStatus = EmailRecord['status'];

/** A row of `EMAIL_SELECT`. */
export interface V1EmailRow {
  id: string;
  status: string;
  from: string;
  from_name: string | null;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  template_id: string | null;
  tags: string[];
  campaign_id: string | null;
  reference: string | null;
  credits_cost: number;
  counts: EmailRecord['counts'];
  scheduled_at: Date | null;
  created_at: Date;
}

/**
 * An email that waits for a worker is queued. An email that was handed over is delivered or bounced if that is true of all
 * recipients that were neither skipped nor refused.
 */
export const EMAIL_STATUS = `
  CASE WHEN m.status = 'scheduled' AND m.scheduled_at IS NULL OR m.status = 'sending' THEN 'queued'
       WHEN m.status <> 'sent' THEN m.status
       WHEN r.delivered = r.charged - r.failed THEN 'delivered'
       WHEN r.delivered + r.bounced = r.charged - r.failed THEN 'bounced'
       ELSE 'sent' END`;

/** The columns of `V1EmailRow`, from `EMAIL_TABLES`. */
export const EMAIL_COLUMNS = `
  m.id, ${EMAIL_STATUS} AS status, m.from_address AS "from", m.from_name, r."to", r.cc, r.bcc, m.subject, m.template_id,
  m.tags, m.campaign_id, m.reference, r.charged AS credits_cost, m.scheduled_at, m.created_at,
  json_build_object('recipients', r.recipients, 'sent', r.sent, 'delivered', r.delivered, 'opened', e.opened,
    'clicked', e.clicked, 'bounced', r.bounced, 'complained', e.complained, 'unsubscribed', e.unsubscribed,
    'failed', r.failed, 'skipped', r.recipients - r.charged) AS counts`;

/** The emails `m` with the sums of their recipients `r` and their events `e`. */
export const EMAIL_TABLES = `
  email.messages AS m
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(r.address ORDER BY r.position) FILTER (WHERE r.kind = 'to'), '[]') AS "to",
      coalesce(json_agg(r.address ORDER BY r.position) FILTER (WHERE r.kind = 'cc'), '[]') AS cc,
      coalesce(json_agg(r.address ORDER BY r.position) FILTER (WHERE r.kind = 'bcc'), '[]') AS bcc,
      count(*)::int AS recipients,
      (count(*) FILTER (WHERE r.state <> 'skipped'))::int AS charged,
      (count(*) FILTER (WHERE r.state = 'sent'))::int AS sent,
      (count(*) FILTER (WHERE r.state = 'failed'))::int AS failed,
      (count(*) FILTER (WHERE r.outcome = 'delivered'))::int AS delivered,
      (count(*) FILTER (WHERE r.outcome = 'bounced'))::int AS bounced
    FROM email.recipients AS r WHERE r.message_id = m.id) AS r
  CROSS JOIN LATERAL (
    SELECT (count(DISTINCT e.position) FILTER (WHERE e.type = 'opened'))::int AS opened,
      (count(DISTINCT e.position) FILTER (WHERE e.type = 'clicked'))::int AS clicked,
      (count(DISTINCT e.position) FILTER (WHERE e.type = 'complained'))::int AS complained,
      (count(DISTINCT e.position) FILTER (WHERE e.type = 'unsubscribed'))::int AS unsubscribed
    FROM email.events AS e WHERE e.message_id = m.id) AS e`;

/** Complete with a condition on `m`. */
export const EMAIL_SELECT = `SELECT ${EMAIL_COLUMNS} FROM ${EMAIL_TABLES}`;

/** The v1 record of an email. */
export function v1EmailRecord(row: V1EmailRow): EmailRecord {
  return {
    id: row.id,
    status: row.status as V1EmailStatus,
    from: row.from,
    from_name: row.from_name,
    to: row.to,
    cc: row.cc,
    bcc: row.bcc,
    subject: row.subject,
    template_id: row.template_id,
    tags: row.tags,
    campaign_id: row.campaign_id,
    reference: row.reference,
    credits_cost: row.credits_cost,
    counts: row.counts,
    scheduled_at: v1Timestamp(row.scheduled_at),
    created_at: v1Timestamp(row.created_at),
  };
}
