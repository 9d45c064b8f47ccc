import { z } from 'zod';
import { defineEvent } from '../event-contract';

/**
 * The provider rejected a message, failed to deliver it, or did not respond. `errorCode` is the code of the provider.
 */
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
