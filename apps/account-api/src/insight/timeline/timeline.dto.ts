import type { Timestamp, Uuid } from '@heliograph/contracts';

export type TimelineChannel = 'sms' | 'email' | 'chatapp' | 'bots';

export type TimelineType =
  | 'accepted'
  | 'checked'
  | 'charged'
  | 'scheduled'
  | 'queued'
  | 'claimed'
  | 'skipped'
  | 'attempted'
  | 'deferred'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'failed'
  | 'bounced'
  | 'canceled'
  | 'refunded'
  | 'opened'
  | 'clicked'
  | 'complained'
  | 'unsubscribed'
  | 'received'
  | 'lead_captured'
  | 'handoff_requested'
  | 'answered'
  | 'webhook_pending'
  | 'webhook_delivered'
  | 'webhook_failed';

export class V1TimelineEvent {
  at: Timestamp;
  type: TimelineType;
  /** @example The carrier accepted the message. */
  summary: string;
  details: Record<string, unknown>;
}

export class V1Timeline {
  id: Uuid;
  channel: TimelineChannel;
  status: string;
  /** Events in chronological order. */
  events: V1TimelineEvent[];
}
