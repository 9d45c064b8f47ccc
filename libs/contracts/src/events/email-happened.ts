import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** What happened to the mail of one recipient. `url`: of a click. `reason`: of a bounce; `machine` for an open of no person's. */
const happened = z.object({
  messageId: z.uuid(),
  recipient: z.string(),
  url: z.string().nullable(),
  reason: z.string().nullable(),
});
const define = <T extends string>(type: T) => defineEvent({ type, version: 1, mandatory: false, schema: happened });

export const emailDelivered = define('email.delivered');
export const emailOpened = define('email.opened');
export const emailClicked = define('email.clicked');
export const emailBounced = define('email.bounced');
export const emailComplained = define('email.complained');
export const emailUnsubscribed = define('email.unsubscribed');
