/** The latency of B under A may be this many times the quiet one. */
const MAX_RATIO = 2;
/** A latency up to this one is good, whatever the ratio. */
const MIN_LIMIT_MS = 50;
/** A single message, event, delivery or import of B must end within this time. */
export const MAX_END_TO_END_MS = 2_000;

/** The latencies of the operations of B in one phase. */
export interface Latencies {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Operations that failed, by their message. */
  failures: readonly string[];
  /** Operations that had not ended when the measurement stopped. Their latency until then is in the figures. */
  unfinished: number;
}

/** The latencies of B while A is quiet, and while A is active. */
export interface Comparison {
  quiet: Latencies;
  noisy: Latencies;
  /** Whether the operation ends with its delivery, not with the response to a call. */
  endToEnd: boolean;
}

export function ratioOf({ quiet, noisy }: Pick<Comparison, 'quiet' | 'noisy'>): number {
  return noisy.p99Ms / quiet.p99Ms;
}

/** Returns the missed targets of an operation of B. */
export function missedTargets({ quiet, noisy, endToEnd }: Comparison): string[] {
  const missed: string[] = [];
  const limitMs = Math.max(MAX_RATIO * quiet.p99Ms, MIN_LIMIT_MS);
  if (noisy.count === 0 || quiet.count === 0) missed.push('nothing was measured');
  if (noisy.p99Ms > limitMs) missed.push(`p99 ${noisy.p99Ms.toFixed(0)} ms exceeds ${limitMs.toFixed(0)} ms`);
  if (endToEnd && noisy.maxMs > MAX_END_TO_END_MS) {
    missed.push(`one took ${noisy.maxMs.toFixed(0)} ms, more than ${MAX_END_TO_END_MS} ms`);
  }
  for (const { failures, unfinished } of [quiet, noisy]) {
    if (failures.length > 0) missed.push(`${failures.length} failed, such as ${failures[0]}`);
    if (unfinished > 0) missed.push(`${unfinished} did not end`);
  }
  return missed;
}
