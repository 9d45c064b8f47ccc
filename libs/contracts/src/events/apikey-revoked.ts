import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A key has stopped working. Caches hear of it through the change feed; this is for whoever keeps records. */
export const apiKeyRevoked = defineEvent({
  type: 'apikey.revoked',
  version: 1,
  mandatory: false,
  schema: z.object({ keyId: z.uuid(), name: z.string(), lastFour: z.string() }),
});
