import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** An API key was created. */
export const apiKeyCreated = defineEvent({
  type: 'apikey.created',
  version: 1,
  mandatory: false,
  schema: z.object({ keyId: z.uuid(), name: z.string(), lastFour: z.string(), scopes: z.array(z.string()) }),
});
