/** Burst size as a fraction of a second; carriers measure in short windows. */
const BURST_SECONDS = 0.1;

/**
 * Token bucket for submit PDUs. Reservations may create debt, so that a started message continues at the allowed rate
 * while later ones wait. Times are monotonic milliseconds supplied by the caller.
 */
export class ThroughputBucket {
  private perMs = 0;
  private capacity = 1;
  private tokens: number;
  private refilledAt: number;

  /** `perSecond` null means unlimited. */
  constructor(
    private readonly perSecond: number | null,
    nowMs: number,
  ) {
    this.configure(perSecond ?? 0);
    this.tokens = this.capacity;
    this.refilledAt = nowMs;
  }

  /** Changes the rate of a limited bucket. */
  setRate(perSecond: number, nowMs: number): void {
    this.refill(nowMs);
    this.configure(perSecond);
    this.tokens = Math.min(this.capacity, this.tokens);
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

  private configure(perSecond: number): void {
    this.perMs = perSecond / 1_000;
    this.capacity = Math.max(1, perSecond * BURST_SECONDS);
  }

  private refill(nowMs: number): void {
    if (nowMs <= this.refilledAt) return;
    this.tokens = Math.min(this.capacity, this.tokens + (nowMs - this.refilledAt) * this.perMs);
    this.refilledAt = nowMs;
  }
}
