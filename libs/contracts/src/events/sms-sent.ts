import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** The carrier accepted the message. */
export const smsSent = defineEvent({
  type: 'sms.sent',
  version: 1,
  mandatory: false,
  schema: z.object({ messageId: z.uuid(), to: z.string(), carrier: z.string(), sentAt: z.string() }),
});
