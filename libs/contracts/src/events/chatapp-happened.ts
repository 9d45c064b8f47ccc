import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** How far an outbound message came, as the platform tells. `occurredAt`: RFC 3339, the platform's own time. */
const happened = z.object({
  messageId: z.uuid(),
  chatappMessageId: z.string(),
  to: z.string(),
  occurredAt: z.string(),
});
const define = <T extends string>(type: T) => defineEvent({ type, version: 1, mandatory: false, schema: happened });

export const chatappSent = define('chatapp.sent');
export const chatappDelivered = define('chatapp.delivered');
export const chatappRead = define('chatapp.read');
