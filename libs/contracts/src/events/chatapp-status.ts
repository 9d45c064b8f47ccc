import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** The provider reported a status of an outbound message. `occurredAt`: time at the provider, RFC 3339. */
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
