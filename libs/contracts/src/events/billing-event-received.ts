import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** The payment processor told of something and it was stored: the billing worker's job. */
export const billingEventReceived = defineEvent({
  type: 'billing.event.received',
  version: 1,
  mandatory: true,
  schema: z.object({
    /** The processor's id. */
    eventId: z.string(),
    eventType: z.string(),
  }),
});
