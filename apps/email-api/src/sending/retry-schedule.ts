const SECONDS = [4, 20, 60, 5 * 60, 15 * 60];
const LAST_SECONDS = 30 * 60;

/** Delay before the next attempt, shortened by up to 25 % of jitter to spread retries. */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number {
  const seconds = SECONDS[attempts - 1] ?? LAST_SECONDS;
  return Math.round(seconds * 1_000 * (1 - random() / 4));
}
