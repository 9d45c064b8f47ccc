import { v1Timestamp } from '@heliograph/service-kit';
import { publicEventId, type DeliveryStatus, type SubjectDelivery } from '@heliograph/webhooks';
import type { TimelineEntry } from './timeline-entry';
import type { TimelineType } from './timeline.dto';

/** Deliveries that a timeline lists; an email to many recipients has more. */
export const MAX_DELIVERIES = 500;

const TYPES: Readonly<Record<DeliveryStatus, TimelineType>> = {
  pending: 'webhook_pending',
  delivered: 'webhook_delivered',
  failed: 'webhook_failed',
};
const SUMMARIES: Readonly<Record<DeliveryStatus, (eventType: string) => string>> = {
  pending: (eventType) => `The event ${eventType} waits for its delivery to a webhook.`,
  delivered: (eventType) => `The event ${eventType} was delivered to a webhook.`,
  failed: (eventType) => `The event ${eventType} could not be delivered to a webhook.`,
};

/** A delivery of an event about the message, at the time of its last attempt. */
export function webhookEntry(delivery: SubjectDelivery): TimelineEntry {
  const { status, eventType, attempts, createdAt, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  return {
    at: last ? new Date(last.at) : createdAt,
    type: TYPES[status],
    summary: SUMMARIES[status](eventType),
    details: {
      webhook_id: delivery.subscriptionId,
      url: delivery.url,
      delivery_id: delivery.id,
      event_type: eventType,
      event_id: publicEventId(delivery.eventId),
      attempts: attempts.length,
      status_code: last?.status_code ?? null,
      error: last?.error ?? null,
      next_attempt_at: v1Timestamp(nextAttemptAt),
    },
  };
}
