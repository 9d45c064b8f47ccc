// Shows amounts in dollars as `$12.00`; `en-GB` would show `US$12.00`.
const LOCALE = 'en-US';

/**
 * Decimals of the amounts of the payment processor, by number: https://docs.stripe.com/currencies, sections
 * "Zero-decimal currencies" and "Three-decimal currencies". All other currencies have two decimals. `Intl` knows other
 * numbers: it shows forints and rupiahs without decimals, although the processor counts them in hundredths.
 */
const ZERO_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THREE_DECIMALS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND'];
/** Currencies without decimals whose amounts the processor counts in hundredths, for compatibility. */
const WHOLE_HUNDREDTHS = ['ISK', 'UGX'];

/**
 * Formats an amount: `$12.00`, `¥1,200`, `HUF 1,000.00`, `KWD 1.250`. `minor` is in minor units of the processor.
 * Never throws: an invalid currency code is appended to the number.
 */
export function formatMoney(minor: number, currency: string): string {
  const code = currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return `${formatCount(minor)} ${currency}`;
  const digits = decimalsOf(code);
  const amount = minor / 10 ** digits;
  const shown = WHOLE_HUNDREDTHS.includes(code) && Number.isInteger(amount) ? 0 : digits;
  const format = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency: code,
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  });
  return format.format(amount);
}

function decimalsOf(code: string): number {
  if (ZERO_DECIMALS.includes(code)) return 0;
  return THREE_DECIMALS.includes(code) ? 3 : 2;
}

/** Formats a number, for example as `1,200`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 }).format(count);
}
