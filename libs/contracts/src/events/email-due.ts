import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A send has recipients that are due. */
export const emailDue = defineEvent({
  type: 'email.due',
  version: 1,
  mandatory: true,
  schema: z.object({ messageId: z.uuid() }),
});
