import { id, number, oneOf, text } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

const STATUSES = ['scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled'];

export const SMS_MESSAGES: KeysetOptions = {
  columns: [
    ...['id', 'status', 'to', 'sender_id', 'sender', 'template_id', 'message', 'encoding', 'segments', 'credits_cost'],
    ...['flash', 'campaign_id', 'reference', 'error', 'scheduled_at', 'created_at', 'sent_at', 'delivered_at'],
  ],
  filters: {
    status: oneOf('m.status', STATUSES),
    to: number('m.recipient'),
    sender_id: id('m.sender_id'),
    campaign_id: id('m.campaign_id'),
    reference: text('m.reference', 255),
  },
  select: `m.id, m.status, m.recipient AS "to", m.sender_id, m.header AS sender, m.template_id, m.body AS message, m.encoding,
    m.segments, m.credits_cost, m.flash, m.campaign_id, m.reference,
    CASE WHEN m.last_error IS NOT NULL THEN json_build_object('code', 'DELIVERY_FAILED', 'message', m.last_error) END AS error,
    m.scheduled_at, m.created_at, m.sent_at, CASE WHEN m.status = 'delivered' THEN m.finished_at END AS delivered_at`,
  from: 'sms.messages AS m',
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

export const smsMessages = keysetSource(SMS_MESSAGES);
