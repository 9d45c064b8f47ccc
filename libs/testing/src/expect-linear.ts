/** What is linear takes eight times as long for the larger input, what is quadratic 64 times. */
const TIMES_THE_INPUT = 8;
const MAX_TIMES_THE_WORK = 28;
const ATTEMPTS = 5;
/** Less than this is measured as this: a moment would be compared with a collection of garbage. */
const LEAST_MS = 4;

/**
 * Throws unless the work grows in step with its input: `make` makes the input of a size, an eighth of `size` and all
 * of it. Both are measured in one run and in time of the processor, so that neither a slow nor a busy machine is
 * taken for a slow algorithm.
 */
export function expectLinear<T>(size: number, make: (size: number) => T, work: (input: T) => unknown): void {
  const [small, large] = [make(Math.ceil(size / TIMES_THE_INPUT)), make(size)];
  let told = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [smallMs, largeMs] = [processorMs(work, small), processorMs(work, large)];
    if (largeMs <= MAX_TIMES_THE_WORK * Math.max(smallMs, LEAST_MS)) return;
    told = `${smallMs.toFixed(1)} ms for size ${size / TIMES_THE_INPUT}, ${largeMs.toFixed(1)} ms for size ${size}`;
  }
  throw new Error(`the work grows faster than its input: ${told}`);
}

function processorMs<T>(work: (input: T) => unknown, input: T): number {
  const before = process.cpuUsage();
  work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
