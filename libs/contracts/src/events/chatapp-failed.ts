import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** The platform refused a message, could not deliver it, or never answered. `errorCode` is the platform's. */
export const chatappFailed = defineEvent({
  type: 'chatapp.failed',
  version: 1,
  mandatory: false,
  schema: z.object({
    messageId: z.uuid(),
    chatappMessageId: z.string().nullable(),
    to: z.string(),
    error: z.string().nullable(),
    errorCode: z.int().nullable(),
    refunded: z.boolean(),
    occurredAt: z.string(),
  }),
});
