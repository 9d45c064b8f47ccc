const SECONDS = [4, 20, 60, 5 * 60, 15 * 60];
const LAST_SECONDS = 30 * 60;

/** Delay before the next attempt, shortened by up to 25 % of jitter to spread retries. */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number {
  const seconds = SECONDS[attempts - 1] ?? LAST_SECONDS;
  return Math.round(seconds * 1_000 * (1 - random() / 4));
}

const SHORTEST_HOLD_MS = 5_000;
const LONGEST_HOLD_MS = 5 * 60_000;

/** Delay until a mail that could not be composed is composed again; it grows with the time since the first failure. */
export function holdDelayMs(heldMs: number): number {
  return Math.min(LONGEST_HOLD_MS, Math.max(SHORTEST_HOLD_MS, heldMs));
}
