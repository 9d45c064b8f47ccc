import { observeFlow, type QueueFlow } from './queue-flow';

const WINDOW_MS = 250;
const POLL_MS = 50;

interface Run {
  /** Jobs that wait in the queue at each observation of the last second. */
  depths: number[];
  /** Jobs that the consumers took per second in the last second. */
  takenPerSecond: number;
  flow: QueueFlow | null;
}

/** Feeds a queue whose consumers take jobs at a rate, after they have taken `prefetch` at once. */
function simulate(perSecond: number, { prefetch = 0, seconds = 10, flow = null as QueueFlow | null } = {}): Run {
  let depth = 0;
  let published = flow?.since.published ?? 0;
  let capacity = prefetch;
  let taken = 0;
  const depths: number[] = [];
  const startMs = flow?.since.at ?? 0;
  for (let at = startMs; at < startMs + seconds * 1_000; at += POLL_MS) {
    capacity = Math.min(Math.max(prefetch, perSecond), capacity + (perSecond * POLL_MS) / 1_000);
    const now = Math.min(depth, Math.floor(capacity));
    capacity -= now;
    depth -= now;
    flow = observeFlow(flow, { depth, published, at }, { windowMs: WINDOW_MS, wasFull: true });
    const count = Math.max(0, Math.floor(flow.window) - depth);
    published += count;
    depth += count;
    if (at < startMs + (seconds - 1) * 1_000) continue;
    taken += now;
    depths.push(depth);
  }
  return { depths, takenPerSecond: taken, flow };
}

describe('the window of a queue', () => {
  it.each([2, 10, 40, 400, 4_000, 20_000])(
    'settles at the jobs of 250 ms for consumers that take %i a second',
    (rate) => {
      const { depths, takenPerSecond } = simulate(rate);
      expect(takenPerSecond).toBeGreaterThanOrEqual(0.9 * rate - 1);
      for (const depth of depths) expect(depth).toBeLessThanOrEqual(Math.max(2, 0.3 * rate));
    },
  );

  it.each([
    [40, 50],
    [2_000, 500],
  ])('never holds the jobs of two seconds when consumers of %i a second start with %i at once', (rate, prefetch) => {
    for (let seconds = 1; seconds <= 5; seconds += 1)
      for (const depth of simulate(rate, { prefetch, seconds }).depths) expect(depth).toBeLessThanOrEqual(1.5 * rate);
  });

  it('shrinks to one job while nobody consumes, and recovers within a second', () => {
    const stopped = simulate(0, { flow: simulate(2_000).flow });
    expect(Math.floor(stopped.flow?.window ?? 0)).toBe(1);
    expect(simulate(2_000, { flow: stopped.flow, seconds: 2 }).takenPerSecond).toBeGreaterThan(1_800);
  });

  it('does not grow while no job is held back', () => {
    const options = { windowMs: WINDOW_MS, wasFull: false };
    const first = observeFlow(null, { depth: 0, published: 0, at: 0 }, options);
    const next = observeFlow(first, { depth: 0, published: 1, at: 100 }, options);
    expect(next.window).toBe(first.window);
  });
});
