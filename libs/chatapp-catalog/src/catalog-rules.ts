import { AppError } from '@heliograph/errors';
import { isCountryCode } from '@heliograph/phone';
import { CATEGORIES, type Category } from './category';
import { ANY_COUNTRY } from './price.entity';

/** Of base cost and markup each, in minor units. */
export const MAX_COST = 1_000_000_000;
/** Free messages of a month. */
export const MAX_MONTHLY_LIMIT = 2_000_000_000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** What the catalog takes, whoever writes it. What is left out is not looked at. */
export interface CatalogValues {
  country?: string;
  category?: string;
  baseCost?: number;
  markup?: number;
  currency?: string;
  monthlyLimit?: number | null;
}

/** Throws VALIDATION_ERROR that names each wrong field and says what it must be. */
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
      `must be a whole number from 0 to ${MAX_MONTHLY_LIMIT}, or null for any number`,
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
