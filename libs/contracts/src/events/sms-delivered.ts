import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** Delivery receipts confirmed all parts of the message. */
export const smsDelivered = defineEvent({
  type: 'sms.delivered',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid(), to: z.string(), carrier: z.string(), deliveredAt: z.string() }),
});
