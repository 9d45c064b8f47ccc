import { inTurns } from './in-turns';

/** Counts to `size`; several steps exceed the time of a turn. */
function* slowSteps(size: number): Generator<void, number> {
  for (let step = 0; step < size * 64; step++) {
    const end = performance.now() + 0.1;
    while (performance.now() < end);
    yield;
  }
  return size;
}

it('inTurns lets other work run between the turns, and returns the result', async () => {
  let turns = 0;
  let isRunning = true;
  const count = (): void => {
    turns++;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  await expect(inTurns(slowSteps(5))).resolves.toBe(5);
  isRunning = false;
  expect(turns).toBeGreaterThanOrEqual(5);
});
