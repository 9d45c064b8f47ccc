const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays between an attempt and the next one. The last attempt follows 24 hours after the first. */
const DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
];
export const LAST_ATTEMPT_MS = 24 * HOUR_MS;
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = HOUR_MS;

export interface AttemptHistory {
  /** Number of attempts so far, including the one that just failed. */
  tried: number;
  firstTriedAt: Date;
  failedAt: Date;
  /** The Retry-After delay of a 429 or 503 response. */
  retryAfterMs?: number | null;
}

/** The time of the next attempt; null if there are no more attempts. `random`: 0 to 1. */
export function nextAttemptAt(
  { tried, firstTriedAt, failedAt, retryAfterMs = null }: AttemptHistory,
  random: () => number = Math.random,
): Date | null {
  if (tried > DELAYS_MS.length + 1) return null;
  const delayMs = DELAYS_MS[tried - 1];
  const last = firstTriedAt.getTime() + LAST_ATTEMPT_MS;
  if (delayMs === undefined) return failedAt.getTime() >= last ? null : new Date(last);
  const jittered = Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()));
  const waitMs = Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  return new Date(failedAt.getTime() + waitMs);
}
