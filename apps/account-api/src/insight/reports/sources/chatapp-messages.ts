import { number, oneOf } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

const STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'];

export const CHATAPP_MESSAGES: KeysetOptions = {
  columns: {
    id: 'm.id',
    direction: 'm.direction',
    status: 'm.status',
    type: 'm.type',
    from: 'm.sender',
    to: 'm.recipient',
    template_name: 'm.template_name',
    category: 'm.category',
    credits_cost: 'm.price',
    currency: 'm.currency',
    error: `CASE WHEN m.error IS NOT NULL THEN json_build_object('code', m.error_code, 'message', m.error) END`,
    created_at: 'm.created_at',
    sent_at: 'm.sent_at',
    delivered_at: 'm.delivered_at',
    read_at: 'm.read_at',
    failed_at: 'm.failed_at',
  },
  filters: {
    status: oneOf('m.status', STATUSES),
    direction: oneOf('m.direction', ['inbound', 'outbound']),
    to: number('m.recipient'),
    from: number('m.sender'),
  },
  from: `chatapp.messages AS m`,
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

export const chatappMessages = keysetSource(CHATAPP_MESSAGES);
