import { emailRecord, type EmailRecord } from '@heliograph/contracts';
import { selectList, type RecordColumns } from '@heliograph/database';

export const V1_EMAIL_STATUSES = emailRecord.shape.status.options;
export type V1EmailStatus = EmailRecord['status'];

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

/** The fields of the v1 record, from `EMAIL_TABLES`. */
export const EMAIL_COLUMNS: RecordColumns<EmailRecord> = {
  id: 'm.id',
  status: EMAIL_STATUS,
  from: 'm.from_address',
  from_name: 'm.from_name',
  to: 'r."to"',
  cc: 'r.cc',
  bcc: 'r.bcc',
  subject: 'm.subject',
  template_id: 'm.template_id',
  tags: 'm.tags',
  campaign_id: 'm.campaign_id',
  reference: 'm.reference',
  credits_cost: 'r.charged',
  counts: `json_build_object('recipients', r.recipients, 'sent', r.sent, 'delivered', r.delivered, 'opened', e.opened,
    'clicked', e.clicked, 'bounced', r.bounced, 'complained', e.complained, 'unsubscribed', e.unsubscribed,
    'failed', r.failed, 'skipped', r.recipients - r.charged)`,
  scheduled_at: 'm.scheduled_at',
  created_at: 'm.created_at',
};

/** The sums of the recipients `r` and of the events `e` of each email `m`. */
export const EMAIL_SUMS = `
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

/** The emails `m` with the sums of their recipients `r` and their events `e`. */
export const EMAIL_TABLES = `
  email.messages AS m ${EMAIL_SUMS}`;

/** Complete with a condition on `m`. `recordOf` converts a row to the record. */
export const EMAIL_SELECT = `SELECT ${selectList(EMAIL_COLUMNS)} FROM ${EMAIL_TABLES}`;
