import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A visitor submitted a form of a bot. */
export const leadCaptured = defineEvent({
  type: 'lead.captured',
  version: 1,
  mandatory: false,
  schema: z.object({
    submissionId: z.uuid(),
    conversationId: z.uuid(),
    /** Public ids of the bot and the form. */
    botId: z.string(),
    formId: z.string(),
    contactId: z.uuid().nullable(),
    answers: z.array(z.object({ key: z.string(), label: z.string(), value: z.union([z.string(), z.number()]) })),
    occurredAt: z.string(),
  }),
});
