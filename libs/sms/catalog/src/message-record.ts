import type { SmsRecord } from '@heliograph/contracts';
import { selectList, type RecordColumns } from '@heliograph/database';

/** The fields of the v1 record, from `sms.messages AS m`. */
export const SMS_COLUMNS: RecordColumns<SmsRecord> = {
  id: 'm.id',
  status: 'm.status',
  to: 'm.recipient',
  sender_id: 'm.sender_id',
  sender: 'm.header',
  template_id: 'm.template_id',
  message: 'm.body',
  encoding: 'm.encoding',
  segments: 'm.segments',
  credits_cost: 'm.credits_cost',
  flash: 'm.flash',
  campaign_id: 'm.campaign_id',
  reference: 'm.reference',
  error: `CASE WHEN m.last_error IS NOT NULL THEN json_build_object('code', 'DELIVERY_FAILED', 'message', m.last_error) END`,
  scheduled_at: 'm.scheduled_at',
  created_at: 'm.created_at',
  sent_at: 'm.sent_at',
  delivered_at: `CASE WHEN m.status = 'delivered' THEN m.finished_at END`,
};

/** Complete with a condition on `m`. `recordOf` converts a row to the record. */
export const SMS_SELECT = `SELECT ${selectList(SMS_COLUMNS)} FROM sms.messages AS m`;
