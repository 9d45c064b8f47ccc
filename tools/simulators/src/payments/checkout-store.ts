import { randomBytes } from 'node:crypto';
import type { PaymentEventInput } from './payment-event';

const SESSIONS_KEPT = 1_000;
const LIFETIME_SECONDS = 24 * 3_600;

/** A checkout session of the processor; amounts are minor units. */
export interface CheckoutSession {
  id: string;
  client_reference_id: string | null;
  amount_total: number;
  currency: string;
  description: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: string;
  metadata: Record<string, string>;
  success_url: string;
  cancel_url: string;
  created: number;
  expires_at: number;
  amount_refunded: number;
  dispute: Dispute | null;
}

export interface Dispute {
  amount: number;
  status: 'needs_response' | 'won' | 'lost';
}

/** The checkout sessions of the simulated processor. */
export class CheckoutStore {
  private readonly sessions = new Map<string, CheckoutSession>();
  private readonly byKey = new Map<string, CheckoutSession>();

  /** Creates a session; the same idempotency key returns the same session. `fields`: the form of the API call. */
  create(fields: ReadonlyMap<string, string>, idempotencyKey: string | null): CheckoutSession {
    const known = idempotencyKey === null ? undefined : this.byKey.get(idempotencyKey);
    if (known) return known;
    const now = Math.floor(Date.now() / 1_000);
    const item = 'line_items[0]';
    const session: CheckoutSession = {
      id: `cs_${randomBytes(24).toString('hex')}`,
      client_reference_id: fields.get('client_reference_id') ?? null,
      amount_total: numberOf(fields, `${item}[price_data][unit_amount]`) * numberOf(fields, `${item}[quantity]`, 1),
      currency: fields.get(`${item}[price_data][currency]`) ?? 'usd',
      description: fields.get(`${item}[price_data][product_data][name]`) ?? 'Purchase',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: `pi_${randomBytes(12).toString('hex')}`,
      metadata: metadataOf(fields),
      success_url: fields.get('success_url') ?? '',
      cancel_url: fields.get('cancel_url') ?? '',
      created: now,
      expires_at: numberOf(fields, 'expires_at', now + LIFETIME_SECONDS),
      amount_refunded: 0,
      dispute: null,
    };
    this.sessions.set(session.id, session);
    if (idempotencyKey !== null) this.byKey.set(idempotencyKey, session);
    if (this.sessions.size > SESSIONS_KEPT) this.sessions.delete(this.sessions.keys().next().value ?? '');
    return session;
  }

  find(id: string): CheckoutSession | null {
    return this.sessions.get(id) ?? null;
  }

  findByPayment(paymentIntent: string): CheckoutSession | null {
    return [...this.sessions.values()].find(({ payment_intent: id }) => id === paymentIntent) ?? null;
  }

  /** Pays an open session. Null if it is not open. */
  pay(session: CheckoutSession): PaymentEventInput | null {
    if (session.status !== 'open') return null;
    Object.assign(session, { status: 'complete', payment_status: 'paid' });
    return { type: 'checkout.session.completed', object: sessionObject(session) };
  }

  /** Expires an open session. Null if it is not open. */
  expire(session: CheckoutSession): PaymentEventInput | null {
    if (session.status !== 'open') return null;
    session.status = 'expired';
    return { type: 'checkout.session.expired', object: sessionObject(session) };
  }

  /**
   * Opens a dispute of a payment, or closes it as won or lost. Null if the payment has no money left, or has a closed
   * dispute.
   */
  dispute(session: CheckoutSession, status: Dispute['status'], amount?: number): PaymentEventInput | null {
    const rest = session.amount_total - session.amount_refunded;
    const known = session.dispute ?? { amount: amount ?? rest, status: 'needs_response' };
    const isClosed = known.status !== 'needs_response';
    if (session.payment_status !== 'paid' || known.amount <= 0 || known.amount > rest || isClosed) return null;
    session.dispute = { ...known, status };
    return disputeEvent(session, session.dispute);
  }

  /** Refunds a part of a payment; the default is the rest. Null if the remaining amount is smaller. */
  refund(session: CheckoutSession, amount = session.amount_total - session.amount_refunded): PaymentEventInput | null {
    if (session.payment_status !== 'paid' || amount <= 0) return null;
    if (session.amount_refunded + amount > session.amount_total) return null;
    session.amount_refunded += amount;
    const {
      payment_intent: paymentIntent,
      amount_total: total,
      amount_refunded: refunded,
      currency,
      metadata,
    } = session;
    return {
      type: 'charge.refunded',
      object: {
        id: paymentIntent.replace(/^pi_/, 'ch_'),
        object: 'charge',
        payment_intent: paymentIntent,
        amount: total,
        amount_refunded: refunded,
        refunded: refunded === total,
        currency,
        metadata,
      },
    };
  }
}

/** The event about the dispute of a payment: `charge.dispute.created`, or `closed` once it is won or lost. */
export function disputeEvent(
  { id, payment_intent: paymentIntent, currency, created }: CheckoutSession,
  dispute: Dispute,
) {
  const change = dispute.status === 'needs_response' ? 'created' : 'closed';
  return {
    type: `charge.dispute.${change}`,
    object: {
      id: `dp_${id.slice(3, 27)}`,
      object: 'dispute',
      charge: paymentIntent.replace(/^pi_/, 'ch_'),
      payment_intent: paymentIntent,
      amount: dispute.amount,
      currency,
      status: dispute.status,
      reason: 'fraudulent',
      created,
    },
  };
}

/** The session as the processor's API shows it. */
export function sessionObject(session: CheckoutSession, url: string | null = null): Record<string, unknown> {
  const { description: _description, amount_refunded: _refunded, dispute: _dispute, ...fields } = session;
  return {
    object: 'checkout.session',
    mode: 'payment',
    livemode: false,
    customer: null,
    url,
    ...fields,
    amount_subtotal: session.amount_total,
    customer_details: { email: null, name: null },
  };
}

function numberOf(fields: ReadonlyMap<string, string>, name: string, otherwise = 0): number {
  const value = Number(fields.get(name) ?? otherwise);
  return Number.isSafeInteger(value) ? value : otherwise;
}

function metadataOf(fields: ReadonlyMap<string, string>): Record<string, string> {
  const found = [...fields].flatMap(([name, value]) => {
    const key = /^metadata\[([^\]]+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(found);
}
