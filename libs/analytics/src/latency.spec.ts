import { mergeInto, percentilesOf, type Histogram } from './latency';

/** Merges histograms in the same way as the database. */
const bucketOf = (ms: number) => Math.ceil(4 * Math.log2(Math.max(1, ms)));
const histogramOf = (latencies: readonly number[]): Histogram => {
  const histogram: Histogram = new Map();
  for (const ms of latencies) mergeInto(histogram, new Map([[bucketOf(ms), 1]]));
  return histogram;
};

describe('percentilesOf', () => {
  it('is never below the exact percentile, and at most 19 % above it', () => {
    const latencies = Array.from({ length: 10_000 }, (_, index) => 10 + index * 7);
    const { p50, p95, p99 } = percentilesOf(histogramOf(latencies));
    for (const [value, share] of [
      [p50, 0.5],
      [p95, 0.95],
      [p99, 0.99],
    ] as const) {
      const exact = latencies[Math.ceil(latencies.length * share) - 1]!;
      expect(value).toBeGreaterThanOrEqual(exact);
      expect(value).toBeLessThanOrEqual(exact * 1.19 + 1);
    }
  });

  it('returns the same for merged histograms as for all values', () => {
    const some = [5, 80, 3_000];
    const others = [1, 1, 700, 90_000];
    const merged = histogramOf(some!);
    mergeInto(merged, histogramOf(others!));
    expect(percentilesOf(merged)).toEqual(percentilesOf(histogramOf([...some!, ...others!])));
  });

  it('returns null without messages', () => {
    expect(percentilesOf(new Map([[3, 0]]))).toEqual({ p50: null, p95: null, p99: null });
  });
});
