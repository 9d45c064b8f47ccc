import { z } from 'zod';
import { defineEvent } from '../event-contract';

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
