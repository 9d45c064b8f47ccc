import {
  normalizeCheckout,
  normalizeDispute,
  normalizeRefund,
  type PurchaseEvent,
} from '../purchases/normalize-purchase';
import { isSettledWithoutMoney, readInvoice, type ReadInvoice } from '../invoices/read-invoice';
import type { PaymentFailed, PaymentSucceeded, SubscriptionEvent } from '../subscription-state/normalized-event';
import type { EventTimestamp } from '../subscription-state/event-timestamp';
import { normalizeSubscription } from '../subscriptions/normalize-subscription';
import { fieldsOf, type Fields } from './json-fields';

/** The normalized content of an event. `object` is the raw object, for handlers that need further fields. */
export type NormalizedContent =
  | { event: SubscriptionEvent }
  | { event: PaymentSucceeded | PaymentFailed; invoice: ReadInvoice; object: Fields }
  | { purchase: PurchaseEvent }
  /** The reason why the event has no effect. */
  | { ignored: 'unknown type' | 'unreadable object' };

export interface StoredEvent {
  id: string;
  type: string;
  timestamp: EventTimestamp;
  payload: unknown;
}

export function normalizeEvent(
  { id, type, timestamp, payload }: StoredEvent,
  plans: Map<string, string>,
): NormalizedContent {
  const object = fieldsOf(fieldsOf(fieldsOf(payload)['data'])['object']);
  switch (type) {
    case 'customer.subscription.created':
      return subscription('created', timestamp, object, plans);
    case 'customer.subscription.updated':
      return subscription('updated', timestamp, object, plans);
    case 'customer.subscription.deleted':
      return subscription('deleted', timestamp, object, plans);
    case 'customer.subscription.paused':
      return subscription('paused', timestamp, object, plans);
    case 'invoice.payment_succeeded':
      return invoice(object, (read) => ({
        kind: 'payment',
        timestamp,
        invoiceId: read.id,
        isZero: isSettledWithoutMoney(object),
      }));
    case 'invoice.payment_failed':
      return invoice(object, (read) => ({
        kind: 'failure',
        timestamp,
        eventId: id,
        invoiceId: read.id,
        subscriptionId: read.subscriptionId,
      }));
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return purchase(normalizeCheckout(object, false));
    case 'checkout.session.expired':
      return purchase(normalizeCheckout(object, true));
    case 'charge.refunded':
      return purchase(normalizeRefund(object));
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return purchase(normalizeDispute(object));
    default:
      return { ignored: 'unknown type' };
  }
}

function purchase(event: PurchaseEvent | null): NormalizedContent {
  return event === null ? { ignored: 'unreadable object' } : { purchase: event };
}

function subscription(
  change: SubscriptionEvent['change'],
  timestamp: EventTimestamp,
  object: Fields,
  plans: Map<string, string>,
): NormalizedContent {
  const event = normalizeSubscription(change, timestamp, object, plans);
  return event === null ? { ignored: 'unreadable object' } : { event };
}

function invoice(
  object: Fields,
  toEvent: (invoice: ReadInvoice) => PaymentSucceeded | PaymentFailed,
): NormalizedContent {
  const read = readInvoice(object);
  return read === null ? { ignored: 'unreadable object' } : { event: toEvent(read), invoice: read, object };
}
