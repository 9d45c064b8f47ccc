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
    // The processor counts these currencies in hundredths, although they have no decimals.
    [120_000, 'isk', 'ISK 1,200'],
    [120_000, 'ugx', 'UGX 1,200'],
    [120_050, 'isk', 'ISK 1,200.50'],
    [500, 'xyz', 'XYZ 5.00'],
  ])('are formatted: %d of %s as %s', (amount, currency, shown) => {
    expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(shown);
  });

  it.each(
    'AFN ALL AMD COP CRC HUF IDR IQD IRR KHR KPW LAK LBP LKR MMK MRO PKR RSD SLL SOS STD SYP TWD TZS UZS YER'.split(
      ' ',
    ),
  )('of %s have two decimals, as the processor counts them, although Intl shows none for some', (currency) => {
    expect(formatMoney(100_000, currency.toLowerCase())).toMatch(/1,000\.00$/);
  });

  it.each('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))(
    'of %s have no decimals',
    (currency) => {
      expect(formatMoney(100_000, currency)).toMatch(/100,000$/);
    },
  );

  it.each(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])('of %s have three decimals', (currency) => {
    expect(formatMoney(100_010, currency)).toMatch(/100\.010$/);
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
