import { readRetryAfterMs } from './retry-after';

const NOW = new Date('2026-11-20T10:00:00Z');

describe('the header Retry-After', () => {
  it.each<[string | string[], number]>([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    [['7'], 7_000],
    ['Fri, 20 Nov 2026 10:01:00 GMT', 60_000],
    ['Friday, 20-Nov-26 10:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 09:01:00 GMT', 0],
  ])('%j is a delay of %d ms', (value, delayMs) => {
    expect(readRetryAfterMs(value, NOW)).toBe(delayMs);
  });

  it.each([null, undefined, '', 'soon', '-5', '1.5', '5s', '9'.repeat(10), ['1', '2'], 'Fri, 99 Nov 2026'])(
    '%j is malformed',
    (value) => {
      expect(readRetryAfterMs(value, NOW)).toBeNull();
    },
  );
});
