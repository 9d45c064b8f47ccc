import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A number opted in to or out of messages of the organization. */
export const chatappConsentChanged = defineEvent({
  type: 'chatapp.consent.changed',
  version: 1,
  mandatory: false,
  schema: z.object({
    consentId: z.uuid(),
    number: z.string(),
    status: z.enum(['opted_in', 'opted_out', 'pending']),
    source: z.string(),
    /** The keyword as the person wrote it; absent for other sources. */
    text: z.string().nullish(),
    occurredAt: z.string(),
  }),
});
