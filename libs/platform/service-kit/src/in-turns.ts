import { setImmediate as nextTurn } from 'node:timers/promises';

/** Well below 20 ms, the longest turn of the event loop that a request may cause. */
const TURN_MS = 5;
const STEPS_PER_CHECK = 64;

/**
 * Runs `steps` to the end, in turns of about 5 ms with other work of the event loop between them. The clock is read every
 * `stepsPerCheck` steps; long steps need 1.
 */
export async function inTurns<T>(steps: Generator<void, T>, stepsPerCheck: number = STEPS_PER_CHECK): Promise<T> {
  let turnEndsAt = performance.now() + TURN_MS;
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return value;
    if (count % stepsPerCheck !== 0 || performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + TURN_MS;
  }
}
