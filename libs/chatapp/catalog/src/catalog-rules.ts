import { AppError } from '@heliograph/errors';
import { isCountryCode } from '@heliograph/addresses';
import { CATEGORIES, type Category } from './prices/category';
import { ANY_COUNTRY } from './prices/price.entity';

/** Maximum of base cost and of markup, in minor units. */
export const MAX_COST = 1_000_000_000;
/** Maximum number of free messages per month. */
export const MAX_MONTHLY_LIMIT = 2_000_000_000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Values of catalog entries. Absent fields are not validated. */
export interface CatalogValues {
  country?: string;
  category?: string;
  baseCost?: number;
  markup?: number;
  currency?: string;
  monthlyLimit?: number | null;
}

/** Throws VALIDATION_ERROR with a message for each invalid field. */
export function checkCatalogValues(values: CatalogValues): void {
  const { country, category, baseCost, markup, currency, monthlyLimit } = values;
  const isCost = isWholeUpTo(MAX_COST);
  const problems = [
    whatIsWrong('country', country, isPriceCountry, PRICE_COUNTRY_RULE),
    whatIsWrong('category', category, isCategory, `must be one of ${CATEGORIES.join(', ')}`),
    whatIsWrong('baseCost', baseCost, isCost, `must be a whole number from 0 to ${MAX_COST}`),
    whatIsWrong('markup', markup, isCost, `must be a whole number from 0 to ${MAX_COST}`),
    whatIsWrong('currency', currency, isCurrency, CURRENCY_RULE),
    whatIsWrong(
      'monthlyLimit',
      monthlyLimit,
      isWholeUpTo(MAX_MONTHLY_LIMIT),
      `must be a whole number from 0 to ${MAX_MONTHLY_LIMIT}, or null for no limit`,
    ),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', `${problems.join('; ')}.`);
}

export const PRICE_COUNTRY_RULE = 'must be "*" or an ISO 3166 alpha-2 code in capitals, such as IN';
export const CURRENCY_RULE = 'must be an ISO 4217 code in capitals, such as INR';

export function isPriceCountry(country: string): boolean {
  return country === ANY_COUNTRY || isCountryCode(country);
}

export function isCurrency(currency: string): boolean {
  return CURRENCIES.has(currency);
}

function isCategory(category: string): category is Category {
  return CATEGORIES.some((known) => known === category);
}

function isWholeUpTo(most: number): (value: number) => boolean {
  return (value) => Number.isInteger(value) && value >= 0 && value <= most;
}

function whatIsWrong<Value>(
  field: string,
  value: Value | null | undefined,
  holds: (value: Value) => boolean,
  rule: string,
): string | null {
  return value === undefined || value === null || holds(value) ? null : `${field}: ${rule}`;
}
