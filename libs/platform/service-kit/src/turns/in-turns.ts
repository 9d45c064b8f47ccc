import { setImmediate as nextTurn } from 'node:timers/promises';

/** Well below 20 ms, the longest time that a request may block the event loop. */
const TURN_MS = 5;
const STEPS_PER_CHECK = 64;

/** Divides CPU-bound asynchronous work into turns of about 5 ms. */
export class Turns {
  private endsAt = performance.now() + TURN_MS;

  /** Call it between the steps. It resolves immediately, or after other work of the event loop if the turn is over. */
  async next(): Promise<void> {
    if (performance.now() < this.endsAt) return;
    await nextTurn();
    this.endsAt = performance.now() + TURN_MS;
  }
}

/**
 * Runs `steps` to the end, in turns of about 5 ms with other work of the event loop between them. The clock is read every
 * `stepsPerCheck` steps; long steps need 1.
 */
export async function inTurns<T>(steps: Generator<void, T>, stepsPerCheck: number = STEPS_PER_CHECK): Promise<T> {
  const turns = new Turns();
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done) return value;
    if (count % stepsPerCheck === 0) await turns.next();
  }
}
