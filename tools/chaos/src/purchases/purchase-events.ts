import { randomUUID } from 'node:crypto';
import { pick, upTo } from '@heliograph/bench-data';

/** What the processor reports about one purchase. */
export interface PurchaseEvent {
  id: string;
  type: string;
  created: number;
  data: { object: Readonly<Record<string, unknown>> };
}

/** Outcome of a checkout. Refunds are totals, in minor units, each greater than the one before. */
export interface Outcome {
  isPaid: boolean;
  isExpired: boolean;
  /** A payment that takes longer is first reported as unpaid. */
  isDelayed: boolean;
  refunds: readonly number[];
  /** How a dispute of the whole payment ends; null without a dispute. */
  dispute: 'open' | 'won' | 'lost' | null;
}

/** Chooses what happens to a checkout of this amount. */
export function chooseOutcome(amount: number): Outcome {
  const part = upTo(amount - 1);
  const paid = { isPaid: true, isExpired: false, isDelayed: false, refunds: [], dispute: null };
  return pick<Outcome>([
    { ...paid, isPaid: false, isDelayed: true },
    { ...paid, isPaid: false, isExpired: true },
    paid,
    { ...paid, isExpired: true },
    { ...paid, isDelayed: true },
    { ...paid, refunds: [amount] },
    { ...paid, refunds: [part] },
    { ...paid, refunds: [part, amount] },
    { ...paid, isExpired: true, refunds: [part, amount] },
    { ...paid, dispute: 'open' },
    { ...paid, dispute: 'won' },
    { ...paid, dispute: 'lost' },
  ]);
}

/** The events of an outcome; `session` is the paid checkout session. */
export function eventsOf(
  { isPaid, isExpired, isDelayed, refunds, dispute }: Outcome,
  session: Readonly<Record<string, unknown>>,
): { checkout: PurchaseEvent[]; claims: PurchaseEvent[] } {
  const paid = { ...session, customer_details: { name: 'Chaos', email: 'billing@chaos.example' } };
  const unpaid = { ...paid, payment_status: 'unpaid' };
  const success = isDelayed ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed';
  const { payment_intent: payment, amount_total: amount, currency, metadata } = session;
  return {
    checkout: [
      ...(isDelayed ? [event('checkout.session.completed', unpaid)] : []),
      ...(isPaid ? [event(success, paid)] : []),
      ...(isExpired ? [event('checkout.session.expired', { ...unpaid, status: 'expired' })] : []),
    ],
    claims: [
      ...refunds.map((amountRefunded) =>
        event('charge.refunded', {
          id: `ch_${String(payment)}`,
          object: 'charge',
          payment_intent: payment,
          amount,
          currency,
          metadata,
          amount_refunded: amountRefunded,
          refunded: amountRefunded === amount,
        }),
      ),
      ...disputeEvents(dispute, session),
    ],
  };
}

function disputeEvents(
  dispute: Outcome['dispute'],
  { payment_intent: payment, amount_total: amount, currency }: Readonly<Record<string, unknown>>,
): PurchaseEvent[] {
  if (dispute === null) return [];
  const object = {
    id: `dp_${String(payment)}`,
    object: 'dispute',
    payment_intent: payment,
    amount,
    currency,
  };
  const created = event('charge.dispute.created', { ...object, status: 'needs_response' });
  return dispute === 'open' ? [created] : [created, event('charge.dispute.closed', { ...object, status: dispute })];
}

/** Events in another order, some of them twice, as the processor repeats events, and some as new events with the same content. */
export function disturbed(events: readonly PurchaseEvent[]): PurchaseEvent[] {
  const copies = events.flatMap((one) => {
    const chance = Math.random();
    if (chance < 0.3) return [one, one];
    return chance < 0.5 ? [one, { ...one, id: `evt_${randomUUID()}` }] : [one];
  });
  return copies
    .map((one) => ({ one, place: Math.random() }))
    .sort((first, second) => first.place - second.place)
    .map(({ one }) => one);
}

function event(type: string, object: Record<string, unknown>): PurchaseEvent {
  return { id: `evt_${randomUUID()}`, type, created: Math.floor(Date.now() / 1000), data: { object } };
}
