import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** Why the platform writes to somebody. */
export const MAIL_PURPOSES = [
  'receipt',
  'payment-reminder',
  'workspace-locked',
  'invitation',
  'password-reset',
  'security-notice',
] as const;
export type MailPurpose = (typeof MAIL_PURPOSES)[number];

/** The queue that mail waits in, there from the start: mail is kept even while nobody sends it. */
export const MAIL_QUEUE = 'email-api.mail';

/** A service asks for a mail of the platform's own. The event's id makes a repeat recognizable. */
export const mailRequested = defineEvent({
  type: 'mail.requested',
  version: 1,
  mandatory: true,
  schema: z.object({
    purpose: z.enum(MAIL_PURPOSES),
    /** Each gets a mail of its own. */
    to: z.array(z.string()).min(1),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    attachments: z.array(z.object({ filename: z.string(), contentType: z.string(), contentBase64: z.string() })),
  }),
});
