import { performance } from 'node:perf_hooks';

/** A shorter interval would mistake one long task for a saturated loop. */
const INTERVAL_MS = 100;
const SATURATED = 0.9;

/** Measures whether the event loop of this process is what all its work waits for. */
export class EventLoopLoad {
  private utilization = performance.eventLoopUtilization();
  private measuredAt = performance.now();
  private wasSaturated = false;

  /** Whether the loop was idle for less than a tenth of the last interval. Measures at most once per interval. */
  readonly isSaturated = (): boolean => {
    const now = performance.now();
    if (now - this.measuredAt < INTERVAL_MS) return this.wasSaturated;
    const current = performance.eventLoopUtilization();
    this.wasSaturated = performance.eventLoopUtilization(current, this.utilization).utilization > SATURATED;
    this.utilization = current;
    this.measuredAt = now;
    return this.wasSaturated;
  };
}
