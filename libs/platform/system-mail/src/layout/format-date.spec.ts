import { formatDay, formatPeriod, formatTimestamp } from './format-date';

const START = new Date('2026-11-01T23:59:59Z');

describe('dates of emails and receipts', () => {
  it('have the day before the month, in UTC', () => {
    expect(formatDay(START)).toBe('1 November 2026');
    expect(formatTimestamp(START)).toBe('1 November 2026 at 23:59 UTC');
  });

  it.each([
    ['2026-12-01T00:00:00Z', '1 November – 1 December 2026'],
    ['2026-11-30T00:00:00Z', '1 – 30 November 2026'],
    ['2027-11-01T00:00:00Z', '1 November 2026 – 1 November 2027'],
    ['2026-11-01T23:59:59Z', '1 November 2026'],
  ])('form a period until %s', (end, shown) => expect(formatPeriod(START, new Date(end))).toBe(shown));

  it('form a period only if both ends are known', () => {
    expect(formatPeriod(START, null)).toBeNull();
    expect(formatPeriod(null, START)).toBeNull();
  });
});
