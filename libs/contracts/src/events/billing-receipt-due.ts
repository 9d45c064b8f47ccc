import { z } from 'zod';
import { defineEvent } from '../event-contract';

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
