const LOCALE = 'en-US';

/** Currencies whose minor unit at the payment processor differs from ISO 4217. */
const PROCESSOR_DIGITS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/**
 * Formats an amount: `$12.00`, `¥1,200`, `KWD 1.250`. `minor` is in minor units of the processor. Never throws: an
 * invalid currency code is appended to the number.
 */
export function showMoney(minor: number, currency: string): string {
  const code = currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return `${showCount(minor)} ${currency}`;
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: code });
  const digits = PROCESSOR_DIGITS[code] ?? format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minor / 10 ** digits);
}

/** Formats a number, for example as `1,200`. */
export function showCount(count: number): string {
  return new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 }).format(count);
}

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });
const SHORT_DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a date in UTC, for example as `November 20, 2026`. */
export function showDay(date: Date): string {
  return DAY.format(date);
}

/** Formats a period, for example as `Nov 1 – 30, 2026`; null unless both ends are known. */
export function showPeriod(start: Date | null, end: Date | null): string | null {
  if (!start || !end) return null;
  return SHORT_DAY.formatRange(start, end).replaceAll(/[\u2009\u202f]/g, ' ');
}
