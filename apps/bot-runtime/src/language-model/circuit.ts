export interface CircuitOptions {
  /** Consecutive failures that open the circuit breaker. */
  failures: number;
  /** Initial and maximum open time; it doubles with every failed probe. */
  openMs: number;
  longestOpenMs: number;
}

/**
 * A circuit breaker, so that visitors do not wait for an unavailable model. Consecutive failures open it. While it is
 * open, it blocks calls; afterwards it allows a single probe, whose result closes or opens it. Times are monotonic
 * milliseconds supplied by the caller.
 */
export class Circuit {
  private failures = 0;
  private openMs: number;
  private openUntilMs = -Infinity;
  private isProbing = false;

  constructor(private readonly options: CircuitOptions) {
    this.openMs = options.openMs;
  }

  /** Whether all calls are blocked. */
  isOpen(nowMs: number): boolean {
    return nowMs < this.openUntilMs;
  }

  /** Whether a call is allowed. Report the result of every allowed call with one of the other methods. */
  begin(nowMs: number): boolean {
    if (this.isOpen(nowMs)) return false;
    if (!this.hasFailed) return true;
    if (this.isProbing) return false;
    this.isProbing = true;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
    this.isProbing = false;
    this.openMs = this.options.openMs;
    this.openUntilMs = -Infinity;
  }

  /** `retryAfterMs` is the wait that the model requests. If it is present, the circuit breaker opens immediately. */
  failed(nowMs: number, retryAfterMs: number | null = null): void {
    const { failures, longestOpenMs } = this.options;
    const wasProbing = this.isProbing;
    this.isProbing = false;
    this.failures++;
    if (retryAfterMs !== null) {
      this.failures = Math.max(this.failures, failures);
      this.open(nowMs + Math.min(retryAfterMs, longestOpenMs));
    } else if (this.hasFailed && (wasProbing || !this.isOpen(nowMs))) {
      this.open(nowMs + this.openMs);
      this.openMs = Math.min(2 * this.openMs, longestOpenMs);
    }
  }

  /** The call was cancelled or never made, so its result is unknown. */
  abandoned(): void {
    this.isProbing = false;
  }

  private get hasFailed(): boolean {
    return this.failures >= this.options.failures;
  }

  private open(untilMs: number): void {
    this.openUntilMs = Math.max(this.openUntilMs, untilMs);
  }
}
