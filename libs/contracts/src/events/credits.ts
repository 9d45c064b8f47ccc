import { z } from 'zod';
import { CREDIT_TYPES } from '../credit-types';
import { defineEvent } from '../event-contract';

const movement = z.object({
  entryId: z.uuid(),
  workspaceId: z.uuid(),
  creditType: z.enum(CREDIT_TYPES),
  /** Negative for charges. */
  amount: z.int(),
  balanceAfter: z.int(),
  /** `<channel>:<id>` of the purpose. */
  reference: z.string(),
});

/** Credits were charged for an accepted message. */
export const creditsCharged = defineEvent({ type: 'credits.charged', version: 1, mandatory: false, schema: movement });

/** Credits were refunded for a message that was not sent. */
export const creditsRefunded = defineEvent({
  type: 'credits.refunded',
  version: 1,
  mandatory: false,
  schema: movement,
});

/** Credits were purchased or granted. */
export const creditsToppedUp = defineEvent({
  type: 'credits.topped_up',
  version: 1,
  mandatory: false,
  schema: movement,
});

/** Credits were transferred between workspaces of the organization; one event per workspace. */
export const creditsTransferred = defineEvent({
  type: 'credits.transferred',
  version: 1,
  mandatory: false,
  schema: movement,
});

/** The operator corrected a balance. */
export const creditsAdjusted = defineEvent({
  type: 'credits.adjusted',
  version: 1,
  mandatory: false,
  schema: movement,
});

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
