import { z } from 'zod';
import { CREDIT_TYPES } from '../credit-types';
import { defineEvent } from '../event-contract';

const movement = z.object({
  entryId: z.uuid(),
  workspaceId: z.uuid(),
  creditType: z.enum(CREDIT_TYPES),
  /** Negative for a charge. */
  amount: z.int(),
  balanceAfter: z.int(),
  /** What was paid for, as `<channel>:<id>`. */
  reference: z.string(),
});

/** Credits were taken for something that was accepted. */
export const creditsCharged = defineEvent({ type: 'credits.charged', version: 1, mandatory: false, schema: movement });

/** Credits came back for something that never left. */
export const creditsRefunded = defineEvent({
  type: 'credits.refunded',
  version: 1,
  mandatory: false,
  schema: movement,
});

/** Credits were bought or granted. */
export const creditsToppedUp = defineEvent({
  type: 'credits.topped_up',
  version: 1,
  mandatory: false,
  schema: movement,
});

/** Credits went to, or came from, another workspace of the organization: one event for each side. */
export const creditsTransferred = defineEvent({
  type: 'credits.transferred',
  version: 1,
  mandatory: false,
  schema: movement,
});

/** The platform operator corrected a balance. */
export const creditsAdjusted = defineEvent({
  type: 'credits.adjusted',
  version: 1,
  mandatory: false,
  schema: movement,
});
