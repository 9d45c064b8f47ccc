/** For eight times the input, linear work takes 8 times as long and quadratic work 64 times. */
const TIMES_THE_INPUT = 8;
const MAX_TIMES_THE_WORK = 28;
const ATTEMPTS = 5;
/** Shorter measurements are rounded up to this value, because garbage collection would distort them. */
const LEAST_MS = 4;

/**
 * Throws unless the work is linear in its input. `make` creates an input of a size; an eighth of `size` and `size` are
 * measured in one run in CPU time, so that a slow or busy machine does not affect the result.
 */
export function expectLinear<T>(size: number, make: (size: number) => T, work: (input: T) => unknown): void {
  const small = make(Math.ceil(size / TIMES_THE_INPUT));
  const large = make(size);
  let measured = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const smallMs = processorMs(work, small);
    const largeMs = processorMs(work, large);
    if (largeMs <= MAX_TIMES_THE_WORK * Math.max(smallMs, LEAST_MS)) return;
    measured = `${smallMs.toFixed(1)} ms for size ${size / TIMES_THE_INPUT}, ${largeMs.toFixed(1)} ms for size ${size}`;
  }
  throw new Error(`the work grows faster than its input: ${measured}`);
}

function processorMs<T>(work: (input: T) => unknown, input: T): number {
  const before = process.cpuUsage();
  work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
