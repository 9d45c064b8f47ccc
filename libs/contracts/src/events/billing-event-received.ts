import { z } from 'zod';
import { defineEvent } from '../event-contract';

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
