import { readInvoice, type ReadInvoice } from '../invoices/read-invoice';
import type { FailureFact, PaymentFact, SubscriptionFact } from '../standing/facts';
import type { Moment } from '../standing/moment';
import { readSubscription } from '../subscriptions/read-subscription';
import { fieldsOf, type Fields } from './json-fields';

/** What an event comes to. `object` is the processor's own, for what only some lines of it tell. */
export type EventContent =
  | { fact: SubscriptionFact }
  | { fact: PaymentFact | FailureFact; invoice: ReadInvoice; object: Fields }
  /** Nothing follows from it; why. */
  | { ignored: 'unknown type' | 'unreadable object' };

export interface StoredEvent {
  id: string;
  type: string;
  moment: Moment;
  payload: unknown;
}

export function readContent({ id, type, moment, payload }: StoredEvent, plans: Map<string, string>): EventContent {
  const object = fieldsOf(fieldsOf(fieldsOf(payload)['data'])['object']);
  switch (type) {
    case 'customer.subscription.created':
      return subscription('created', moment, object, plans);
    case 'customer.subscription.updated':
      return subscription('updated', moment, object, plans);
    case 'customer.subscription.deleted':
      return subscription('deleted', moment, object, plans);
    case 'customer.subscription.paused':
      return subscription('paused', moment, object, plans);
    case 'invoice.payment_succeeded':
      return invoice(object, () => ({ kind: 'payment', moment }));
    case 'invoice.payment_failed':
      return invoice(object, (read) => ({
        kind: 'failure',
        moment,
        eventId: id,
        invoiceId: read.id,
        subscriptionId: read.subscriptionId,
      }));
    default:
      return { ignored: 'unknown type' };
  }
}

function subscription(
  change: SubscriptionFact['change'],
  moment: Moment,
  object: Fields,
  plans: Map<string, string>,
): EventContent {
  const fact = readSubscription(change, moment, object, plans);
  return fact === null ? { ignored: 'unreadable object' } : { fact };
}

function invoice(object: Fields, factOf: (invoice: ReadInvoice) => PaymentFact | FailureFact): EventContent {
  const read = readInvoice(object);
  return read === null ? { ignored: 'unreadable object' } : { fact: factOf(read), invoice: read, object };
}
