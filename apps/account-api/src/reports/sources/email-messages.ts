import { address, id, oneOf, text } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

const STATUSES = ['scheduled', 'queued', 'sent', 'delivered', 'bounced', 'failed', 'skipped', 'canceled'];

/** The status in the v1 API. An email that waits for a worker is queued; the status of a sent email depends on all recipients. */
const STATUS = `CASE WHEN m.status = 'scheduled' AND m.scheduled_at IS NULL OR m.status = 'sending' THEN 'queued'
  WHEN m.status <> 'sent' THEN m.status
  WHEN r.delivered = r.charged - r.failed THEN 'delivered'
  WHEN r.delivered + r.bounced = r.charged - r.failed THEN 'bounced' ELSE 'sent' END`;

export const EMAIL_MESSAGES: KeysetOptions = {
  columns: [
    ...['id', 'status', 'from', 'from_name', 'to', 'subject', 'template_id', 'tags', 'campaign_id', 'reference'],
    ...['credits_cost', 'counts', 'scheduled_at', 'created_at'],
  ],
  filters: {
    status: oneOf(STATUS, STATUSES),
    to: address(
      (value) => `m.id IN (SELECT x.message_id FROM email.recipients AS x WHERE lower(x.address) = ${value})`,
    ),
    tag: { ...text('', 50), condition: (value) => `m.tags @> ARRAY[${value}::text]` },
    campaign_id: id('m.campaign_id'),
    reference: text('m.reference', 255),
  },
  select: `m.id, ${STATUS} AS status, m.from_address AS "from", m.from_name, r.addresses AS "to", m.subject, m.template_id,
    m.tags, m.campaign_id, m.reference, r.charged AS credits_cost, m.scheduled_at, m.created_at,
    json_build_object('recipients', r.recipients, 'sent', r.sent, 'delivered', r.delivered, 'opened', e.opened,
      'clicked', e.clicked, 'bounced', r.bounced, 'complained', e.complained, 'unsubscribed', e.unsubscribed,
      'failed', r.failed, 'skipped', r.recipients - r.charged) AS counts`,
  from: `email.messages AS m
    CROSS JOIN LATERAL (
      SELECT json_agg(r.address ORDER BY r.position) AS addresses, count(*)::int AS recipients,
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
      FROM email.events AS e WHERE e.message_id = m.id) AS e`,
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

export const emailMessages = keysetSource(EMAIL_MESSAGES);
