/** Burst size as a fraction of a second; carriers measure in short windows. */
const BURST_SECONDS = 0.1;

/**
 * Token bucket for submit PDUs. Reservations may create debt, so that a started message continues at the allowed rate
 * while later ones wait. Times are monotonic milliseconds supplied by the caller.
 */
export class ThroughputBucket {
  private readonly perMs: number;
  private readonly capacity: number;
  private tokens: number;
  private refilledAt: number;

  /** `perSecond` null means unlimited. */
  constructor(
    private readonly perSecond: number | null,
    nowMs: number,
  ) {
    this.perMs = (perSecond ?? 0) / 1000;
    this.capacity = Math.max(1, (perSecond ?? 0) * BURST_SECONDS);
    this.tokens = this.capacity;
    this.refilledAt = nowMs;
  }

  /** Milliseconds until a token is available; 0 if one is available now. Does not take a token. */
  waitMs(nowMs: number): number {
    if (this.perSecond === null) return 0;
    this.refill(nowMs);
    return this.tokens >= 1 ? 0 : (1 - this.tokens) / this.perMs;
  }

  /** Takes one token, creating debt if necessary, and returns how many milliseconds to wait before using it. */
  reserve(nowMs: number): number {
    const waitMs = this.waitMs(nowMs);
    if (this.perSecond !== null) this.tokens -= 1;
    return waitMs;
  }

  /** Returns an unused token. */
  refund(): void {
    this.tokens = Math.min(this.capacity, this.tokens + 1);
  }

  private refill(nowMs: number): void {
    if (nowMs <= this.refilledAt) return;
    this.tokens = Math.min(this.capacity, this.tokens + (nowMs - this.refilledAt) * this.perMs);
    this.refilledAt = nowMs;
  }
}
