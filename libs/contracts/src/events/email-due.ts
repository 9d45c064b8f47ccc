import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A send has recipients whose mail is due. */
export const emailDue = defineEvent({
  type: 'email.due',
  version: 1,
  mandatory: true,
  schema: z.object({ messageId: z.uuid() }),
});
