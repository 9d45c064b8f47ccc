const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/**
 * How long to wait before the next try, in milliseconds: full jitter under a ceiling that doubles from one second to
 * thirty, and never less than what the server asks for.
 *
 * @param failures tries that failed in a row, from 1
 * @param random in [0, 1)
 */
export function backOffMs(failures: number, retryAfterMs: number | null, random: number): number {
  const ceiling = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 10));
  return Math.max(Math.round(random * ceiling), retryAfterMs ?? 0);
}
