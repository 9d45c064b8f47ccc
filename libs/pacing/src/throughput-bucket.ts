/** How much of a second may go out at once after a quiet moment; carriers count in short windows. */
const BURST_SECONDS = 0.1;

/**
 * Token bucket over submit PDUs. Reservations may run into debt, so that a message that has started goes on at the
 * allowed rate while the next ones wait. Times are monotonic milliseconds and come from the caller.
 */
export class ThroughputBucket {
  private readonly perMs: number;
  private readonly capacity: number;
  private tokens: number;
  private refilledAt: number;

  /** `perSecond` null is unlimited. */
  constructor(
    private readonly perSecond: number | null,
    nowMs: number,
  ) {
    this.perMs = (perSecond ?? 0) / 1000;
    this.capacity = Math.max(1, (perSecond ?? 0) * BURST_SECONDS);
    this.tokens = this.capacity;
    this.refilledAt = nowMs;
  }

  /** Milliseconds until one token is there; 0 when it is now. Takes nothing. */
  waitMs(nowMs: number): number {
    if (this.perSecond === null) return 0;
    this.refill(nowMs);
    return this.tokens >= 1 ? 0 : (1 - this.tokens) / this.perMs;
  }

  /** Takes one token, in debt if need be, and returns how many milliseconds to wait before using it. */
  reserve(nowMs: number): number {
    const waitMs = this.waitMs(nowMs);
    if (this.perSecond !== null) this.tokens -= 1;
    return waitMs;
  }

  /** Gives a token back that was not used. */
  refund(): void {
    this.tokens = Math.min(this.capacity, this.tokens + 1);
  }

  private refill(nowMs: number): void {
    if (nowMs <= this.refilledAt) return;
    this.tokens = Math.min(this.capacity, this.tokens + (nowMs - this.refilledAt) * this.perMs);
    this.refilledAt = nowMs;
  }
}
