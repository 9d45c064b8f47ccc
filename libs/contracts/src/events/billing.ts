import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** The plan or status of a subscription changed. */
export const billingSubscriptionChanged = defineEvent({
  type: 'billing.subscription.changed',
  version: 1,
  mandatory: false,
  schema: z.object({
    workspaceId: z.uuid(),
    subscriptionId: z.string(),
    /** Status as reported by the processor. */
    status: z.string(),
    plan: z.string(),
  }),
});

/** An invoice was paid. */
export const billingInvoicePaid = defineEvent({
  type: 'billing.invoice.paid',
  version: 1,
  mandatory: false,
  schema: z.object({
    workspaceId: z.uuid(),
    invoiceId: z.string(),
    number: z.string().nullable(),
    /** Amount in minor units of the currency. */
    amountPaid: z.int(),
    currency: z.string(),
  }),
});

/** The payment of an invoice failed. */
export const billingPaymentFailed = defineEvent({
  type: 'billing.payment.failed',
  version: 1,
  mandatory: false,
  schema: z.object({
    workspaceId: z.uuid(),
    invoiceId: z.string(),
    /** Amount in minor units of the currency. */
    amountDue: z.int(),
    currency: z.string(),
  }),
});

/** Job of the billing worker: an event of the payment processor was stored. */
export const billingEventReceived = defineEvent({
  type: 'billing.event.received',
  version: 1,
  mandatory: true,
  schema: z.object({
    /** Id assigned by the processor. */
    eventId: z.string(),
    eventType: z.string(),
  }),
});

/** Job of the billing worker: a paid invoice needs a receipt. */
export const billingReceiptDue = defineEvent({
  type: 'billing.receipt.due',
  version: 1,
  mandatory: true,
  schema: z.object({
    workspaceId: z.uuid(),
    /** Id assigned by the processor. */
    invoiceId: z.string(),
  }),
});
