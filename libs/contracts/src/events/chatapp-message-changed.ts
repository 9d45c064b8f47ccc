import { z } from 'zod';
import { defineEvent } from '../event-contract';

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
