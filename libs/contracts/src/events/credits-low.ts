import { z } from 'zod';
import { CREDIT_TYPES } from '../credit-types';
import { defineEvent } from '../event-contract';

/** The balance dropped below the threshold of the workspace. Emitted again only after the balance was above it. */
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
