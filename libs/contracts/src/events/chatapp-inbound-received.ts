import { z } from 'zod';
import { defineEvent } from '../event-contract';

/**
 * An inbound message to the shared number. `message` is the complete object of the provider. The organization of the
 * envelope is null if no organization has written to the sender before.
 */
export const chatappInboundReceived = defineEvent({
  type: 'chatapp.inbound.received',
  version: 1,
  mandatory: false,
  schema: z.object({
    messageId: z.uuid(),
    chatappMessageId: z.string(),
    from: z.string(),
    to: z.string(),
    type: z.string(),
    message: z.record(z.string(), z.unknown()),
    occurredAt: z.string(),
  }),
});
