import { formatCount, formatMoney } from './format-money';

describe('amounts', () => {
  it.each([
    [1200, 'usd', '$12.00'],
    [1200, 'USD', '$12.00'],
    [120_000, 'JPY', '¥120,000'],
    [1250, 'kwd', 'KWD 1.250'],
    [1_234_567_890, 'inr', '₹12,345,678.90'],
    [0, 'eur', '€0.00'],
    [-500, 'gbp', '-£5.00'],
    // The processor counts this currency in hundredths, although ISO 4217 defines no decimals for it.
    [120_000, 'isk', 'ISK 1,200'],
    [500, 'xyz', 'XYZ 5.00'],
  ])('are formatted: %d of %s as %s', (amount, currency, shown) => {
    expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(shown);
  });

  it.each(['', 'dollars', '€', '<b>', '12'])(
    'are formatted as a plain number with %j, which is not a currency',
    (currency) => {
      expect(formatMoney(1200, currency)).toBe(`1,200 ${currency}`);
    },
  );

  it('are formatted with separators of thousands', () => {
    expect(formatCount(123456)).toBe('123,456');
  });
});
