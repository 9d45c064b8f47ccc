import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../../latencies';
import type { Latencies } from './verdict';

/** How long the measurement waits for operations that were started before its end. */
const GRACE_MS = 5_000;
const MIN_POLL_MS = 10;
const MAX_POLL_MS = 200;
/** The share of the elapsed time after which a condition is checked again, so that many open operations cost little. */
const POLL_SHARE = 0.05;

/** An operation of B whose latency is measured. */
export interface Operation {
  name: string;
  everyMs: number;
  /** Whether it ends with the delivery, not with the response to a call. */
  endToEnd: boolean;
  /** Resolves when the nth operation has ended. Rejects if it fails. */
  run(number: number, signal: AbortSignal): Promise<void>;
}

/** Numbers operations, so that no operation of a process is repeated. */
let started = 0;

/** Starts an operation at regular intervals, whether or not earlier ones have ended, and measures them from their due time on. */
export async function measureOperation(operation: Operation, durationMs: number): Promise<Latencies> {
  const latencies: number[] = [];
  const failures: string[] = [];
  let unfinished = 0;
  const stopping = new AbortController();
  const runOne = async (dueAt: number): Promise<void> => {
    try {
      await operation.run(started++, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) unfinished++;
      else failures.push(error instanceof Error ? error.message : String(error));
    }
    latencies.push(performance.now() - dueAt);
  };
  const open: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let dueAt = startedAt; dueAt < startedAt + durationMs; dueAt += operation.everyMs) {
    await delay(Math.max(0, dueAt - performance.now()));
    open.push(runOne(dueAt));
  }
  const ended = Promise.all(open);
  await Promise.race([ended, delay(GRACE_MS, undefined, { ref: false })]);
  stopping.abort(new Error('the measurement has ended'));
  await ended;
  return {
    count: latencies.length,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    maxMs: Math.max(...latencies),
    failures,
    unfinished,
  };
}

/** Waits until a condition is true. Rejects when the signal aborts. */
export async function untilTrue(condition: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    const elapsedMs = performance.now() - startedAt;
    await delay(Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, POLL_SHARE * elapsedMs)), undefined, { signal });
  }
}
