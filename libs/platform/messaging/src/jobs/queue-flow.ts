/** The flow of jobs through a queue of the broker. */
export interface QueueFlow {
  /** Maximum number of jobs that wait in the queue, for consumers that have room for more. */
  window: number;
  /** The observation from which the next rate is measured. */
  since: Observation;
}

export interface Observation {
  /** Number of jobs that wait in the queue, without those that consumers hold. */
  depth: number;
  /** Number of jobs that were ever published to the queue. */
  published: number;
  /** Milliseconds. */
  at: number;
}

export interface FlowOptions {
  windowMs: number;
  /** Whether the last publication filled the window, so that jobs were held back. */
  wasFull: boolean;
}

const FIRST_WINDOW = 20;
const LARGEST_WINDOW = 10_000;
/** Shorter intervals are too short to measure a rate. */
const SHORTEST_INTERVAL_MS = 20;
/** The window is averaged over about this time. */
const AVERAGED_MS = 500;

/**
 * Returns the flow with the current window: the number of jobs that the consumers take in `windowMs`. If the queue ran empty while jobs
 * were held back, the consumers are faster than the window allows, and it doubles.
 */
export function observeFlow(last: QueueFlow | null, now: Observation, { windowMs, wasFull }: FlowOptions): QueueFlow {
  if (!last) return { window: FIRST_WINDOW, since: now };
  const { window, since } = last;
  const elapsedMs = now.at - since.at;
  if (now.depth > 0 && elapsedMs < SHORTEST_INTERVAL_MS) return last;
  if (now.depth === 0) return { window: wasFull ? Math.min(LARGEST_WINDOW, window * 2) : window, since: now };
  const taken = Math.max(0, since.depth + now.published - since.published - now.depth);
  const measured = (taken * windowMs) / elapsedMs;
  const share = 1 - Math.exp(-elapsedMs / AVERAGED_MS);
  return {
    window: Math.min(LARGEST_WINDOW, Math.max(1, window + (measured - window) * share)),
    since: now,
  };
}
