import { z } from 'zod';
import { CREDIT_TYPES } from '../credit-types';
import { defineEvent } from '../event-contract';

/** A balance has just gone below the threshold that its workspace has set. Comes again only after it was above. */
export const creditsLow = defineEvent({
  type: 'credits.low',
  version: 1,
  mandatory: false,
  schema: z.object({
    workspaceId: z.uuid(),
    creditType: z.enum(CREDIT_TYPES),
    threshold: z.int(),
    balance: z.int(),
  }),
});
