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
