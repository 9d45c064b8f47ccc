import { number, oneOf } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

const STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'];

export const CHATAPP_MESSAGES: KeysetOptions = {
  columns: [
    ...['id', 'direction', 'status', 'type', 'from', 'to', 'template_name', 'category', 'credits_cost', 'currency'],
    ...['error', 'created_at', 'sent_at', 'delivered_at', 'read_at', 'failed_at'],
  ],
  filters: {
    status: oneOf('m.status', STATUSES),
    direction: oneOf('m.direction', ['inbound', 'outbound']),
    to: number('m.recipient'),
    from: number('m.sender'),
  },
  select: `m.id, m.direction, m.status, m.type, m.sender AS "from", m.recipient AS "to", m.template_name, m.category,
    m.price AS credits_cost, m.currency,
    CASE WHEN m.error IS NOT NULL THEN json_build_object('code', m.error_code, 'message', m.error) END AS error,
    m.created_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at`,
  from: `chatapp.messages AS m`,
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

export const chatappMessages = keysetSource(CHATAPP_MESSAGES);
