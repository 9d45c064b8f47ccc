import {
  CATEGORIES,
  CONSENT_STATUSES,
  CURRENCY_RULE,
  isCurrency,
  isPriceCountry,
  MAX_COST,
  PRICE_COUNTRY_RULE,
} from '@heliograph/chatapp-catalog';
import { parseNumber } from '@heliograph/addresses';
import { z } from 'zod';
import { count, optionalText, refuseRepeats, text, timestamp } from './fields';

/** Normalizes a number to E.164. */
const number = z.string().transform((value, context): string => {
  const parsed = parseNumber(value);
  if (parsed !== null) return parsed.e164;
  context.addIssue({ code: 'custom', message: 'must be a number in E.164, such as +919811111111' });
  return z.NEVER;
});

const consent = z.strictObject({
  number,
  status: z.enum(CONSENT_STATUSES),
  source: text.default('provisioning'),
  note: optionalText,
});

export const chatapp = z
  .strictObject({ consents: z.array(consent).default([]) })
  .superRefine(({ consents }, context) => {
    refuseRepeats(context, consents, ['consents'], 'number', (entry) => entry.number);
  });

const chatappPrice = z.strictObject({
  country: z.string().refine(isPriceCountry, PRICE_COUNTRY_RULE),
  category: z.enum(CATEGORIES),
  /** Minor units. */
  baseCost: count.max(MAX_COST),
  markup: count.max(MAX_COST),
  currency: z.string().refine(isCurrency, CURRENCY_RULE),
  /** If omitted, the price applies until one that starts later. */
  validFrom: timestamp.optional(),
});

export const chatappPlatform = z
  .strictObject({ prices: z.array(chatappPrice).default([]) })
  .superRefine(({ prices }, context) => {
    refuseRepeats(
      context,
      prices,
      ['prices'],
      'country',
      ({ country, category, validFrom }) => `${country} ${category} ${validFrom?.getTime() ?? 0}`,
    );
  });

export type ProvisionedChatapp = z.output<typeof chatapp>;
export type ProvisionedPrice = z.output<typeof chatappPrice>;
