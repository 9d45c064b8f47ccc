import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** The mail backend accepted the email for one recipient. `emailMessageId`: Message-ID of the mail; null if not known. */
export const emailSent = defineEvent({
  type: 'email.sent',
  version: 1,
  mandatory: false,
  schema: z.object({
    messageId: z.uuid(),
    recipient: z.string(),
    emailMessageId: z.string().nullish(),
    from: z.string(),
    subject: z.string(),
  }),
});
