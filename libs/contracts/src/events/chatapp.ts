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

/**
 * A chat-app message was accepted without a charge, or an inbound message was assigned to a workspace. Sends that are
 * charged publish `credits.charged`.
 */
export const chatappMessageChanged = defineEvent({
  type: 'chatapp.message.changed',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid() }),
});

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

/** A number opted in to or out of messages of the organization. */
export const chatappConsentChanged = defineEvent({
  type: 'chatapp.consent.changed',
  version: 1,
  mandatory: false,
  schema: z.object({
    consentId: z.uuid(),
    number: z.string(),
    status: z.enum(['opted_in', 'opted_out', 'pending']),
    source: z.string(),
    /** The keyword as the person wrote it; absent for other sources. */
    text: z.string().nullish(),
    occurredAt: z.string(),
  }),
});
