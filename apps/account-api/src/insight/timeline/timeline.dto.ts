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
  /**
   * The id of the trace of the request (W3C Trace Context), if traces are recorded.
   * @example 4bf92f3577b34da6a3ce929d0e0e4736
   */
  trace_id?: string;
  /** Events in chronological order. */
  events: V1TimelineEvent[];
}
