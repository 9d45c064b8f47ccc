import { z } from 'zod';
import { defineEvent } from '../event-contract';
import { jobKind } from '../job-kinds';

/** Job of the send worker: a charged message is due. */
export const smsQueued = defineEvent({
  type: 'sms.queued',
  version: 1,
  mandatory: true,
  schema: z.object({
    messageId: z.uuid(),
    to: z.string(),
    from: z.string(),
    senderId: z.uuid(),
    /** Null for text without a template. */
    templateId: z.uuid().nullable(),
    encoding: z.enum(['gsm-7', 'ucs-2']),
    country: z.string(),
    segments: z.int(),
    creditsCost: z.int(),
    scheduledAt: z.string().nullable(),
    createdAt: z.string(),
    kind: jobKind,
  }),
});

/** The carrier accepted the message. */
export const smsSent = defineEvent({
  type: 'sms.sent',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid(), to: z.string(), carrier: z.string(), sentAt: z.string() }),
});

/** Delivery receipts confirmed all parts of the message. */
export const smsDelivered = defineEvent({
  type: 'sms.delivered',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid(), to: z.string(), carrier: z.string(), deliveredAt: z.string() }),
});

/** The message failed: rejected by the carrier, expired, or reported as undelivered. */
export const smsFailed = defineEvent({
  type: 'sms.failed',
  version: 1,
  mandatory: false,
  schema: z.object({
    messageId: z.uuid(),
    to: z.string(),
    carrier: z.string().nullable(),
    error: z.string(),
    refunded: z.boolean(),
    failedAt: z.string(),
  }),
});
