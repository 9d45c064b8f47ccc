import { smsRecord } from '@heliograph/contracts';
import { SMS_COLUMNS } from '@heliograph/sms-catalog';
import { id, number, oneOf, text } from './filters';
import { keysetSource, type KeysetOptions } from './keyset-source';

export const SMS_MESSAGES: KeysetOptions = {
  columns: SMS_COLUMNS,
  filters: {
    status: oneOf('m.status', smsRecord.shape.status.options),
    to: number('m.recipient'),
    sender_id: id('m.sender_id'),
    campaign_id: id('m.campaign_id'),
    reference: text('m.reference', 255),
  },
  from: 'sms.messages AS m',
  id: 'm.id',
  time: 'm.created_at',
  organization: 'm.organization_id',
  workspace: 'm.workspace_id',
};

export const smsMessages = keysetSource(SMS_MESSAGES);
