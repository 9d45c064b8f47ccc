import { EMAIL_COLUMNS, EMAIL_STATUS, EMAIL_TABLES, V1_EMAIL_STATUSES } from '@heliograph/email-catalog';
import { address, id, oneOf, text } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

export const EMAIL_MESSAGES: KeysetOptions = {
  columns: EMAIL_COLUMNS,
  filters: {
    status: oneOf(EMAIL_STATUS, V1_EMAIL_STATUSES),
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
  from: EMAIL_TABLES,
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

export const emailMessages = keysetSource(EMAIL_MESSAGES);
