import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** An API key was created. */
export const apiKeyCreated = defineEvent({
  type: 'apikey.created',
  version: 1,
  mandatory: false,
  schema: z.object({ keyId: z.uuid(), name: z.string(), lastFour: z.string(), scopes: z.array(z.string()) }),
});

/** An API key was revoked. Caches use the change feed instead; this event is for record keeping. */
export const apiKeyRevoked = defineEvent({
  type: 'apikey.revoked',
  version: 1,
  mandatory: false,
  schema: z.object({ keyId: z.uuid(), name: z.string(), lastFour: z.string() }),
});
