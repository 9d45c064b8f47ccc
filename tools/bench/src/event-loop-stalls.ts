import { openSync, readSync } from 'node:fs';
import { createHistogram, performance } from 'node:perf_hooks';

const STEP_MS = 1;

/** The longest time that the event loop was blocked since the last reading, beyond the interval of the measurement. */
export interface Stalls {
  maxMs: number;
  p99Ms: number;
  /** The longest time that the loop itself used the processor. For the rest of maxMs the process waited for a processor. */
  maxOwnMs: number;
}

/** Measures the event loop of this process from now on. Each reading resets the measurement. */
export function watchStalls(): () => Stalls {
  const gaps = createHistogram({ lowest: 1, highest: 60_000_000 });
  let maxMs = 0;
  let maxOwnMs = 0;
  let last = { at: performance.now(), busyMs: busyMs() };
  setInterval(() => {
    const now = { at: performance.now(), busyMs: busyMs() };
    const ms = Math.max(0, now.at - last.at - STEP_MS);
    gaps.record(Math.max(1, Math.round(ms * 1_000)));
    maxMs = Math.max(maxMs, ms);
    maxOwnMs = Math.max(maxOwnMs, Math.min(ms, now.busyMs - last.busyMs));
    last = now;
  }, STEP_MS).unref();
  return () => {
    const stalls = { maxMs, p99Ms: gaps.percentile(99) / 1_000, maxOwnMs };
    gaps.reset();
    [maxMs, maxOwnMs] = [0, 0];
    return stalls;
  };
}

const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const buffer = Buffer.alloc(100);

/** CPU time of the main thread; the first field of schedstat, in ns (Linux, scheduler/sched-stats). */
function busyMs(): number {
  const bytes = readSync(schedstat, buffer, 0, buffer.length, 0);
  return Number(buffer.toString('latin1', 0, bytes).split(' ')[0]) / 1e6;
}
