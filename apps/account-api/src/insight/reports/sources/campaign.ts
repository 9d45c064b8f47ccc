import { id, oneOf } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';
import type { ReportSource } from './report-source';

const CHANNELS = ['sms', 'email'] as const;
/** The columns of both channels; null where a channel has no such value. */
type CampaignColumns = Readonly<
  Record<
    | 'message_id'
    | 'channel'
    | 'to'
    | 'status'
    | 'segments'
    | 'credits_cost'
    | 'opened'
    | 'clicked'
    | 'unsubscribed'
    | 'error'
    | 'created_at'
    | 'sent_at'
    | 'delivered_at',
    string
  >
>;
const channelIs = (channel: string) => ({
  ...oneOf('', CHANNELS),
  condition: (value: string) => `'${channel}' = ${value}::text`,
});

const SMS_COLUMNS: CampaignColumns = {
  message_id: 'm.id',
  channel: `'sms'`,
  to: 'm.recipient',
  status: 'm.status',
  segments: 'm.segments',
  credits_cost: 'm.credits_cost',
  opened: 'NULL',
  clicked: 'NULL',
  unsubscribed: 'NULL',
  error: 'm.last_error',
  created_at: 'm.created_at',
  sent_at: 'm.sent_at',
  delivered_at: `CASE WHEN m.status = 'delivered' THEN m.finished_at END`,
};

const EMAIL_COLUMNS: CampaignColumns = {
  message_id: 'm.id',
  channel: `'email'`,
  to: 'r.address',
  status: `CASE WHEN r.state = 'sent' THEN coalesce(r.outcome, 'sent') WHEN r.state IN ('waiting', 'sending') THEN 'queued'
    ELSE r.state END`,
  segments: 'NULL',
  credits_cost: `(r.state <> 'skipped')::int`,
  opened: 'e.opened',
  clicked: 'e.clicked',
  unsubscribed: 'e.unsubscribed',
  error: 'r.last_error',
  created_at: 'm.created_at',
  sent_at: 'r.sent_at',
  delivered_at: 'e.delivered_at',
};

const SMS: KeysetOptions = {
  columns: SMS_COLUMNS,
  filters: { campaign_id: id('m.campaign_id'), channel: channelIs('sms') },
  from: 'sms.messages AS m',
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

/** A message of a campaign has one recipient. */
const EMAIL: KeysetOptions = {
  columns: EMAIL_COLUMNS,
  filters: { campaign_id: id('m.campaign_id'), channel: channelIs('email') },
  from: `email.messages AS m
    JOIN email.recipients AS r ON r.message_id = m.id AND r.position = 0
    CROSS JOIN LATERAL (
      SELECT coalesce(bool_or(e.type = 'opened'), false) AS opened, coalesce(bool_or(e.type = 'clicked'), false) AS clicked,
        coalesce(bool_or(e.type = 'unsubscribed'), false) AS unsubscribed,
        min(e.occurred_at) FILTER (WHERE e.type = 'delivered') AS delivered_at
      FROM email.events AS e WHERE e.message_id = m.id) AS e`,
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

const SOURCES = { email: keysetSource(EMAIL), sms: keysetSource(SMS) };

/** The messages of one campaign. */
export const campaign: ReportSource = {
  columns: Object.keys(SMS_COLUMNS),
  filters: SMS.filters,
  required: ['campaign_id'],
  async *batches(pool, report, after) {
    for (const [channel, source] of Object.entries(SOURCES)) {
      // The channels are in alphabetical order.
      if (after !== null && channel < (after['channel'] ?? '')) continue;
      const start = after?.['channel'] === channel ? after : null;
      for await (const { rows, position } of source.batches(pool, report, start)) {
        yield { rows, position: { ...position, channel } };
      }
    }
  },
};
