import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** The mail backend refused the email for one recipient, who was refunded. Published once for each recipient. */
export const emailFailed = defineEvent({
  type: 'email.failed',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid(), recipient: z.string(), reason: z.string().nullable() }),
});
