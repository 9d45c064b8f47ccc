import { z } from 'zod';
import { CREDIT_TYPES } from '../credit-types';
import { defineEvent } from '../event-contract';

/** A purchase of credits was paid, and its credits were added. */
export const creditsPurchased = defineEvent({
  type: 'credits.purchased',
  version: 1,
  mandatory: false,
  schema: z.object({
    purchaseId: z.uuid(),
    workspaceId: z.uuid(),
    creditType: z.enum(CREDIT_TYPES),
    credits: z.number().int().positive(),
    /** Minor units of the currency. */
    amount: z.number().int().nonnegative(),
    currency: z.string(),
  }),
});
