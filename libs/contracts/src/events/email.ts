import { z } from 'zod';
import { defineEvent } from '../event-contract';
import { jobKind } from '../job-kinds';

/** A send has recipients that are due. */
export const emailDue = defineEvent({
  type: 'email.due',
  version: 1,
  mandatory: true,
  schema: z.object({ messageId: z.uuid(), kind: jobKind }),
});

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

/** The mail backend refused the email for one recipient, who was refunded. Published once for each recipient. */
export const emailFailed = defineEvent({
  type: 'email.failed',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid(), recipient: z.string(), reason: z.string().nullable() }),
});

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
const defineRecipientEvent = <T extends string>(type: T) =>
  defineEvent({ type, version: 1, mandatory: false, schema: happened });

export const emailDelivered = defineRecipientEvent('email.delivered');
export const emailOpened = defineRecipientEvent('email.opened');
export const emailClicked = defineRecipientEvent('email.clicked');
export const emailBounced = defineRecipientEvent('email.bounced');
export const emailComplained = defineRecipientEvent('email.complained');
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

/** An email domain was verified, or is no longer verified after the grace period. */
const domain = z.object({ domainId: z.uuid(), name: z.string() });
const defineDomainEvent = <T extends string>(type: T) =>
  defineEvent({ type, version: 1, mandatory: false, schema: domain });

export const emailDomainVerified = defineDomainEvent('domain.verified');
export const emailDomainLapsed = defineDomainEvent('domain.lapsed');
