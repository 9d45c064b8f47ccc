import { z } from 'zod';
import { defineEvent } from '../event-contract';

/**
 * Somebody wrote to the shared number. `message` is the platform's object, whole. The envelope's organization is null
 * when nobody has written to that number before.
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
