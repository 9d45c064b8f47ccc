import { LRUCache } from 'lru-cache';

const MAX_PAIRS = 100_000;

/**
 * How often one number is written to: so many at once, then one for each interval (the generic cell rate algorithm).
 * Times are monotonic milliseconds and come from the caller.
 */
export class PairPace {
  /** When the next message to a number would be due if they came evenly. */
  private readonly dueAt = new LRUCache<string, number>({ max: MAX_PAIRS });

  constructor(
    /** 0 is no pace. */
    private readonly burst: number,
    private readonly intervalMs: number,
  ) {}

  /** Milliseconds until one more may be sent; 0 when it may now. Takes nothing. */
  waitMs(number: string, nowMs: number): number {
    if (this.burst === 0) return 0;
    const dueAt = this.dueAt.get(number);
    return dueAt === undefined ? 0 : Math.max(0, dueAt - (this.burst - 1) * this.intervalMs - nowMs);
  }

  /** Counts one that is sent now or after its wait. */
  reserve(number: string, nowMs: number): void {
    if (this.burst === 0) return;
    this.dueAt.set(number, Math.max(this.dueAt.get(number) ?? 0, nowMs) + this.intervalMs);
  }
}
