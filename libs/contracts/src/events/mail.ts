import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** Purpose of a system email. */
export const MAIL_PURPOSES = [
  'receipt',
  'payment-reminder',
  'workspace-locked',
  'invitation',
  'password-reset',
  'security-notice',
  'email-verification',
  'registration',
  'webhook-disabled',
] as const;
export type MailPurpose = (typeof MAIL_PURPOSES)[number];

/** Queue of system emails. */
export const MAIL_QUEUE = 'email-api.mail';

/** A service requests a system email. Consumers detect repeats by the event id. */
export const mailRequested = defineEvent({
  type: 'mail.requested',
  version: 1,
  mandatory: true,
  schema: z.object({
    purpose: z.enum(MAIL_PURPOSES),
    /** Each recipient gets a separate email. */
    to: z.array(z.string()).min(1),
    /** Id of the row in `system_mail.contents`, which holds the subject, the bodies and the attachments until the email is accepted. */
    contentId: z.uuid(),
  }),
});
