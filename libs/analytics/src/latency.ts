/** Messages by bucket. Bucket b contains latencies above 2^((b-1)/4) ms, up to 2^(b/4) ms. */
export type Histogram = Map<number, number>;

export interface Percentiles {
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/** Percentiles in ms, each the upper end of its bucket: at most 19 % above the exact value. Null without messages. */
export function percentilesOf(histogram: Histogram): Percentiles {
  const buckets = [...histogram].filter(([, messages]) => messages > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, messages]) => sum + messages, 0);
  const percentile = (share: number): number | null => {
    let seen = 0;
    for (const [bucket, messages] of buckets) {
      seen += messages;
      if (seen >= total * share) return Math.round(2 ** (bucket / 4));
    }
    return null;
  };
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
}

/** Adds the messages of one histogram to another. */
export function mergeInto(target: Histogram, source: Histogram): void {
  for (const [bucket, messages] of source) target.set(bucket, (target.get(bucket) ?? 0) + messages);
}
