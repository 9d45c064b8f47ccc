import { randomUUID } from 'node:crypto';
import { benchCustomer, type Random } from '@heliograph/bench-data';
import { PLANS, type InvoiceLine, type PaymentEvent, type PaymentObject } from './payment-event';

/** How far `created` may lie in the past, so that events often arrive out of order. */
const SPREAD_SECONDS = 40;

const SUBSCRIPTION_EVENTS = ['created', 'updated', 'updated', 'updated', 'past_due', 'paused', 'deleted'] as const;

/** Generates payment events: subscription changes for one group of customers, credit purchases for the other. */
export class PaymentEventGenerator {
  private invoices = 0;

  constructor(
    private readonly random: Random,
    private readonly creditCustomers: readonly number[],
    private readonly subscriptionCustomers: readonly number[],
  ) {}

  /** One event, or several events of one invoice. */
  next(): PaymentEvent[] {
    const chance = this.random.next();
    if (chance < 0.4) return this.creditPurchase(benchCustomer(this.random.pick(this.creditCustomers)));
    const customer = benchCustomer(this.random.pick(this.subscriptionCustomers));
    if (chance < 0.85) return [this.subscription(customer, this.random.pick(SUBSCRIPTION_EVENTS))];
    const invoice = this.invoice(customer, `sub_of_${customer}`, {});
    const outcomes = this.random.pick([
      ['payment_failed'],
      ['payment_failed', 'payment_succeeded'],
      ['payment_succeeded'],
    ]);
    return outcomes.map((outcome) => this.event(`invoice.${outcome}`, invoice));
  }

  /** A purchase of credits. The first payment may fail, or its success may be reported twice: credits are granted once. */
  private creditPurchase(customer: string): PaymentEvent[] {
    const credits = String(this.random.between(1, 5_000));
    const invoice = this.invoice(customer, null, { credit_type: 'sms', credits });
    const outcomes = this.random.pick([
      ['payment_succeeded'],
      ['payment_succeeded'],
      ['payment_failed', 'payment_succeeded'],
      ['payment_succeeded', 'payment_succeeded'],
    ]);
    return outcomes.map((outcome) => this.event(`invoice.${outcome}`, invoice));
  }

  private subscription(customer: string, what: (typeof SUBSCRIPTION_EVENTS)[number]): PaymentEvent {
    const lookupKey = this.random.pick(Object.keys(PLANS));
    const statuses = {
      created: 'active',
      updated: 'active',
      past_due: 'past_due',
      paused: 'paused',
      deleted: 'canceled',
    };
    return this.event(`customer.subscription.${what === 'past_due' ? 'updated' : what}`, {
      id: `sub_of_${customer}`,
      customer,
      status: statuses[what],
      items: { data: [{ price: { id: `price_of_${lookupKey}`, lookup_key: lookupKey } }] },
    });
  }

  private invoice(customer: string, subscription: string | null, metadata: InvoiceLine['metadata']): PaymentObject {
    const number = ++this.invoices;
    return {
      id: `in_chaos_${number}`,
      customer,
      number: `CHAOS-${number}`,
      subscription,
      currency: 'eur',
      amount_due: 4_900,
      total: 4_900,
      customer_email: 'billing@chaos.example',
      lines: { data: [{ id: `il_${number}`, description: 'Chaos', quantity: 1, amount: 4_900, metadata }] },
    };
  }

  private event(type: string, object: PaymentObject): PaymentEvent {
    const created = Math.floor(Date.now() / 1000) - this.random.between(0, SPREAD_SECONDS);
    return { id: `evt_${randomUUID()}`, type, created, data: { object } };
  }
}
