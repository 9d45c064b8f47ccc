const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/**
 * The delay before the next attempt, in milliseconds: full jitter below a limit that doubles from one second to thirty,
 * and never less than the delay that the server requests.
 *
 * @param failures consecutive failed attempts, from 1
 * @param random in [0, 1)
 */
export function backOffMs(failures: number, retryAfterMs: number | null, random: number): number {
  const ceiling = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 10));
  return Math.max(Math.round(random * ceiling), retryAfterMs ?? 0);
}
