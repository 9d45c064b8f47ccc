import { z } from 'zod';
import { defineEvent } from '../event-contract';

/**
 * A delivery or tracking event of one recipient. `url`: for clicks. `reason`: for bounces; `machine` for an automated
 * open; `relayed` for a delivery to a server that reports no further delivery. `emailMessageId`: Message-ID of the mail.
 */
const happened = z.object({
  messageId: z.uuid(),
  recipient: z.string(),
  emailMessageId: z.string().nullish(),
  url: z.string().nullable(),
  reason: z.string().nullable(),
});
const define = <T extends string>(type: T) => defineEvent({ type, version: 1, mandatory: false, schema: happened });

export const emailDelivered = define('email.delivered');
export const emailOpened = define('email.opened');
export const emailClicked = define('email.clicked');
export const emailBounced = define('email.bounced');
export const emailComplained = define('email.complained');
/** `scope`: the emails that the recipient unsubscribed from: `marketing`, or the name of a list. */
export const emailUnsubscribed = defineEvent({
  type: 'email.unsubscribed',
  version: 1,
  mandatory: false,
  schema: happened.extend({ scope: z.string() }),
});
/** The recipient undid an unsubscribe from this scope. */
export const emailResubscribed = defineEvent({
  type: 'email.resubscribed',
  version: 1,
  mandatory: false,
  schema: happened.pick({ messageId: true, recipient: true }).extend({ scope: z.string() }),
});
