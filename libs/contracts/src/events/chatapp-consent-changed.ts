import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A number may, or may not, be written to from now on by the organization. */
export const chatappConsentChanged = defineEvent({
  type: 'chatapp.consent.changed',
  version: 1,
  mandatory: false,
  schema: z.object({
    consentId: z.uuid(),
    number: z.string(),
    status: z.enum(['opted_in', 'opted_out', 'pending']),
    source: z.string(),
    occurredAt: z.string(),
  }),
});
