/** Returns the latency that a share (0 to 1) of the calls does not exceed; NaN without calls. */
export function percentile(latencies: readonly number[], share: number): number {
  const sorted = [...latencies].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** The item in the middle of a list that is sorted by a key. */
export function medianBy<T>(items: readonly T[], key: (item: T) => number): T {
  const sorted = [...items].sort((one, other) => key(one) - key(other));
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new Error('There are no measurements.');
  return middle;
}
