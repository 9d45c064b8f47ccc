import { openSync, readSync } from 'node:fs';
import { createHistogram, performance } from 'node:perf_hooks';

const STEP_MS = 1;

/** How long the event loop of a process stood still since it was asked last, beyond the step of the measurement. */
export interface Stalls {
  maxMs: number;
  p99Ms: number;
  /** The longest that the loop was at work, as the kernel counts it. What maxMs has beyond it, it had no processor. */
  maxOwnMs: number;
}

/** Watches the event loop of this process from now on. Each reading starts anew. */
export function watchStalls(): () => Stalls {
  const gaps = createHistogram({ lowest: 1, highest: 60_000_000 });
  let [maxMs, maxOwnMs] = [0, 0];
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

/** Processor time of the main thread so far, in ns in the first field (Linux, scheduler/sched-stats). */
function busyMs(): number {
  const bytes = readSync(schedstat, buffer, 0, buffer.length, 0);
  return Number(buffer.toString('latin1', 0, bytes).split(' ')[0]) / 1e6;
}
