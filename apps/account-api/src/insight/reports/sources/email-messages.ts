import { EMAIL_COLUMNS, EMAIL_STATUS, EMAIL_TABLES } from '@heliograph/email-catalog';
import { address, id, oneOf, text } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

const STATUSES = ['scheduled', 'queued', 'sent', 'delivered', 'bounced', 'failed', 'skipped', 'canceled'];

export const EMAIL_MESSAGES: KeysetOptions = {
  columns: [
    ...[
      'id',
      'status',
      'from',
      'from_name',
      'to',
      'cc',
      'bcc',
      'subject',
      'template_id',
      'tags',
      'campaign_id',
      'reference',
    ],
    ...['credits_cost', 'counts', 'scheduled_at', 'created_at'],
  ],
  filters: {
    status: oneOf(EMAIL_STATUS, STATUSES),
    to: address(
      (value) => `m.id IN (SELECT x.message_id FROM email.recipients AS x WHERE lower(x.address) = ${value})`,
    ),
    sender_id: {
      ...id(''),
      condition: (value) =>
        `m.from_address = (SELECT s.address FROM email.senders AS s WHERE s.id = ${value}::uuid AND s.organization_id = m.organization_id)`,
    },
    tag: { ...text('', 50), condition: (value) => `m.tags @> ARRAY[${value}::text]` },
    campaign_id: id('m.campaign_id'),
    reference: text('m.reference', 255),
  },
  select: EMAIL_COLUMNS,
  from: EMAIL_TABLES,
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

export const emailMessages = keysetSource(EMAIL_MESSAGES);
