import { CURRENCY_RULE, isCurrency, MAX_COST } from '@heliograph/chatapp-catalog';
import { CREDIT_TYPES } from '@heliograph/contracts';
import { z } from 'zod';

const MAX_CREDITS = 10_000_000_000;
/** The smallest amount that payment processors accept depends on the currency; they report it. */
export const creditPackage = z.strictObject({
  key: z.string().regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, hyphens or underscores'),
  creditType: z.enum(CREDIT_TYPES),
  credits: z.number().int().min(1).max(MAX_CREDITS),
  /** Minor units. */
  amount: z.number().int().min(1).max(MAX_COST),
  currency: z.string().refine(isCurrency, CURRENCY_RULE),
});

export type ProvisionedPackage = z.output<typeof creditPackage>;
