import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** The mail backend accepted the email for one recipient. */
export const emailSent = defineEvent({
  type: 'email.sent',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid(), recipient: z.string(), from: z.string(), subject: z.string() }),
});
