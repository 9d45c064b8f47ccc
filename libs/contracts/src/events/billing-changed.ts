import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** What a workspace subscribes to, or how that stands, has changed. */
export const billingSubscriptionChanged = defineEvent({
  type: 'billing.subscription.changed',
  version: 1,
  mandatory: false,
  schema: z.object({
    workspaceId: z.uuid(),
    subscriptionId: z.string(),
    /** As the processor calls it. */
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
    /** Minor units of the currency. */
    amountPaid: z.int(),
    currency: z.string(),
  }),
});

/** An invoice could not be paid. */
export const billingPaymentFailed = defineEvent({
  type: 'billing.payment.failed',
  version: 1,
  mandatory: false,
  schema: z.object({
    workspaceId: z.uuid(),
    invoiceId: z.string(),
    /** Minor units of the currency. */
    amountDue: z.int(),
    currency: z.string(),
  }),
});
