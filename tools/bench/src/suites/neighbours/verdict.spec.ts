import { missedTargets, ratioOf, type Latencies } from './verdict';

const latencies = (p99Ms: number, rest: Partial<Latencies> = {}): Latencies => ({
  count: 100,
  p50Ms: p99Ms / 2,
  p99Ms,
  maxMs: p99Ms,
  failures: [],
  unfinished: 0,
  ...rest,
});

describe('The verdict about an operation of B', () => {
  it('compares the p99 under A with the quiet one', () => {
    expect(ratioOf({ quiet: latencies(20), noisy: latencies(50) })).toBe(2.5);
  });

  it('accepts twice the quiet p99 and no more', () => {
    expect(missedTargets({ quiet: latencies(40), noisy: latencies(80), endToEnd: false })).toEqual([]);
    expect(missedTargets({ quiet: latencies(40), noisy: latencies(81), endToEnd: false })).toEqual([
      'p99 81 ms exceeds 80 ms',
    ]);
  });

  it('accepts 50 ms although the ratio is higher', () => {
    expect(missedTargets({ quiet: latencies(5), noisy: latencies(50), endToEnd: false })).toEqual([]);
    expect(missedTargets({ quiet: latencies(5), noisy: latencies(51), endToEnd: false })).toEqual([
      'p99 51 ms exceeds 50 ms',
    ]);
  });

  it('limits every single operation end to end to 2 s, also below twice the quiet p99', () => {
    const noisy = latencies(1_500, { maxMs: 2_001 });
    expect(missedTargets({ quiet: latencies(1_500), noisy, endToEnd: false })).toEqual([]);
    expect(missedTargets({ quiet: latencies(1_500), noisy, endToEnd: true })).toEqual([
      'one took 2001 ms, more than 2000 ms',
    ]);
  });

  it('accepts neither failed nor unfinished operations', () => {
    const noisy = latencies(20, { failures: ['503 SERVICE_UNAVAILABLE', '503 SERVICE_UNAVAILABLE'], unfinished: 1 });
    expect(missedTargets({ quiet: latencies(20), noisy, endToEnd: false })).toEqual([
      '2 failed, such as 503 SERVICE_UNAVAILABLE',
      '1 did not end',
    ]);
  });

  it('does not accept that nothing was measured', () => {
    const nothing = latencies(NaN, { count: 0 });
    expect(missedTargets({ quiet: nothing, noisy: nothing, endToEnd: false })).toEqual(['nothing was measured']);
  });
});
