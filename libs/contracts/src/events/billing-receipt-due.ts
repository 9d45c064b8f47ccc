import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A paid invoice has no receipt yet: the billing worker's job. */
export const billingReceiptDue = defineEvent({
  type: 'billing.receipt.due',
  version: 1,
  mandatory: true,
  schema: z.object({
    workspaceId: z.uuid(),
    /** The processor's id. */
    invoiceId: z.string(),
  }),
});
