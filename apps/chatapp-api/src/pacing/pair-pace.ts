import { LRUCache } from 'lru-cache';

const MAX_PAIRS = 100_000;

/**
 * Limits the messages to one number: a burst, then one per interval (generic cell rate algorithm). Times are monotonic
 * milliseconds supplied by the caller.
 */
export class PairPace {
  /** Theoretical arrival time of the next message to a number. With `max`, the memory would be allocated at once. */
  private readonly dueAt = new LRUCache<string, number>({ maxSize: MAX_PAIRS, sizeCalculation: () => 1 });

  constructor(
    /** 0 disables the limit. */
    private readonly burst: number,
    private readonly intervalMs: number,
  ) {}

  /** Milliseconds until one more message is allowed; 0 if it is allowed now. Does not reserve it. */
  waitMs(number: string, nowMs: number): number {
    if (this.burst === 0) return 0;
    const dueAt = this.dueAt.get(number);
    return dueAt === undefined ? 0 : Math.max(0, dueAt - (this.burst - 1) * this.intervalMs - nowMs);
  }

  /** Counts a message that is sent now or after its waiting time. */
  reserve(number: string, nowMs: number): void {
    if (this.burst === 0) return;
    this.dueAt.set(number, Math.max(this.dueAt.get(number) ?? 0, nowMs) + this.intervalMs);
  }
}
