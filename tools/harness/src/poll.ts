import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
  timeoutMs: number;
  everyMs?: number;
}

/** Polls a condition until it is true or the time is up. Resolves with whether it is true. */
export async function poll(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs = 50 }: PollOptions,
): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(everyMs)) {
    if (await condition()) return true;
  }
  return false;
}
