// Shows amounts in dollars as `$12.00`; `en-GB` would show `US$12.00`.
const LOCALE = 'en-US';

/** Currencies whose minor unit at the payment processor differs from ISO 4217. */
const PROCESSOR_DIGITS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/**
 * Formats an amount: `$12.00`, `¥1,200`, `KWD 1.250`. `minor` is in minor units of the processor. Never throws: an
 * invalid currency code is appended to the number.
 */
export function formatMoney(minor: number, currency: string): string {
  const code = currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return `${formatCount(minor)} ${currency}`;
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: code });
  const digits = PROCESSOR_DIGITS[code] ?? format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minor / 10 ** digits);
}

/** Formats a number, for example as `1,200`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 }).format(count);
}
