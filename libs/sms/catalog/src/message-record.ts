import type { SmsRecord } from '@heliograph/contracts';
import { v1Timestamp } from '@heliograph/service-kit';

/** A row of `sms.messages` with `MESSAGE_COLUMNS`. */
export interface SmsMessageRow {
  id: string;
  status: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled';
  recipient: string;
  sender_id: string;
  header: string;
  template_id: string | null;
  body: string;
  encoding: 'gsm-7' | 'ucs-2';
  segments: number;
  credits_cost: number;
  flash: boolean;
  campaign_id: string | null;
  reference: string | null;
  last_error: string | null;
  scheduled_at: Date | null;
  created_at: Date;
  sent_at: Date | null;
  finished_at: Date | null;
}

export const MESSAGE_COLUMNS = `id, status, recipient, sender_id, header, template_id, body, encoding, segments, credits_cost, flash,
  campaign_id, reference, last_error, scheduled_at, created_at, sent_at, finished_at`;

/** The v1 record of a message. */
export function v1SmsRecord(row: SmsMessageRow): SmsRecord {
  return {
    id: row.id,
    status: row.status,
    to: row.recipient,
    sender_id: row.sender_id,
    sender: row.header,
    template_id: row.template_id,
    message: row.body,
    encoding: row.encoding,
    segments: row.segments,
    credits_cost: row.credits_cost,
    flash: row.flash,
    campaign_id: row.campaign_id,
    reference: row.reference,
    error: row.last_error === null ? null : { code: 'DELIVERY_FAILED', message: row.last_error },
    scheduled_at: v1Timestamp(row.scheduled_at),
    created_at: v1Timestamp(row.created_at),
    sent_at: v1Timestamp(row.sent_at),
    delivered_at: row.status === 'delivered' ? v1Timestamp(row.finished_at) : null,
  };
}
