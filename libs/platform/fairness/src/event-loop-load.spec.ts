import { setTimeout as delay } from 'node:timers/promises';
import { EventLoopLoad } from './event-loop-load';

/** Keeps the event loop busy in short tasks. */
async function calculate(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const taskUntil = performance.now() + 5;
    while (performance.now() < taskUntil);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the load of the event loop', () => {
  it('is saturated while tasks follow one another, and not while the loop waits', async () => {
    const load = new EventLoopLoad();
    await calculate(200);
    expect(load.isSaturated()).toBe(true);
    await delay(200);
    expect(load.isSaturated()).toBe(false);
  });
});
