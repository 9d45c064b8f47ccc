export interface CircuitOptions {
  /** Failures in a row after which nobody is asked for a while. */
  failures: number;
  /** For how long at first, and at most: it doubles as long as nothing gets better. */
  openMs: number;
  longestOpenMs: number;
}

/**
 * Keeps visitors from waiting for a model that does not answer. After some failures in a row it opens: no calls for a
 * while, then a single one, whose outcome decides. Has no clock of its own: `nowMs` is any that does not go back.
 */
export class Circuit {
  private failures = 0;
  private openMs: number;
  private openUntilMs = -Infinity;
  private isTrying = false;

  constructor(private readonly options: CircuitOptions) {
    this.openMs = options.openMs;
  }

  /** No call gets through. */
  isOpen(nowMs: number): boolean {
    return nowMs < this.openUntilMs;
  }

  /** Whether a call may be made; every call that may has to be reported with one of the others. */
  begin(nowMs: number): boolean {
    if (this.isOpen(nowMs)) return false;
    if (!this.hasFailed) return true;
    if (this.isTrying) return false;
    this.isTrying = true;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
    this.isTrying = false;
    this.openMs = this.options.openMs;
    this.openUntilMs = -Infinity;
  }

  /** `retryAfterMs`: how long the model itself wants to be left alone; it opens at once then. */
  failed(nowMs: number, retryAfterMs: number | null = null): void {
    const { failures, longestOpenMs } = this.options;
    const wasTrying = this.isTrying;
    this.isTrying = false;
    this.failures++;
    if (retryAfterMs !== null) {
      this.failures = Math.max(this.failures, failures);
      this.open(nowMs + Math.min(retryAfterMs, longestOpenMs));
    } else if (this.hasFailed && (wasTrying || !this.isOpen(nowMs))) {
      this.open(nowMs + this.openMs);
      this.openMs = Math.min(2 * this.openMs, longestOpenMs);
    }
  }

  /** The call was given up, or never made: it tells nothing. */
  abandoned(): void {
    this.isTrying = false;
  }

  private get hasFailed(): boolean {
    return this.failures >= this.options.failures;
  }

  private open(untilMs: number): void {
    this.openUntilMs = Math.max(this.openUntilMs, untilMs);
  }
}
