import { unique } from '@heliograph/testing';
import type { BillingTenant, PaymentEvent } from './billing-fixture';

type Change = 'created' | 'updated' | 'deleted' | 'paused';

/** Returns an event about the only subscription of a tenant, unless another one is given. */
export function subscriptionEvent(
  { customer }: Pick<BillingTenant, 'customer'>,
  change: Change,
  object: Record<string, unknown> = {},
  event: Partial<PaymentEvent> = {},
): PaymentEvent {
  const status = { created: 'active', updated: 'active', deleted: 'canceled', paused: 'paused' }[change];
  return {
    type: `customer.subscription.${change}`,
    ...event,
    data: { object: { id: `sub_of_${customer}`, object: 'subscription', customer, status, ...object } },
  };
}

/** Returns an invoice event of the processor with the fields of a receipt. */
export function invoiceEvent(
  { customer }: Pick<BillingTenant, 'customer'>,
  outcome: 'payment_succeeded' | 'payment_failed',
  object: Record<string, unknown> = {},
  event: Partial<PaymentEvent> = {},
): PaymentEvent {
  const isPaid = outcome === 'payment_succeeded';
  return {
    type: `invoice.${outcome}`,
    ...event,
    data: {
      object: {
        id: `in_${unique()}`,
        object: 'invoice',
        customer,
        status: isPaid ? 'paid' : 'open',
        number: 'ACME-0001',
        currency: 'eur',
        amount_due: 4_900,
        amount_paid: isPaid ? 4_900 : 0,
        subtotal: 4_118,
        tax: 782,
        total: 4_900,
        customer_name: 'Acme GmbH',
        customer_email: 'books@acme.example',
        hosted_invoice_url: 'https://pay.processor.example/i/1',
        lines: { data: [{ id: 'il_1', description: 'Pro', quantity: 1, amount: 4_118 }] },
        ...object,
      },
    },
  };
}
