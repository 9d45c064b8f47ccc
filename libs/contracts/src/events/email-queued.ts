import { z } from 'zod';
import { defineEvent } from '../event-contract';

/**
 * An email waits to be sent to at least one recipient. Published once for each email: at its acceptance, or at its time if it
 * is scheduled.
 */
export const emailQueued = defineEvent({
  type: 'email.queued',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid() }),
});
