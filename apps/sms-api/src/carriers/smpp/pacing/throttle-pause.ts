const FIRST_PAUSE_MS = 250;
/** Below five seconds, so that a throttled message is retried within five seconds. */
const LONGEST_PAUSE_MS = 4_000;

/** Duration of the pause in milliseconds, after `previous` consecutive throttled responses. */
export function throttlePauseMs(previous: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(previous, 10));
}

/** Pauses new submits after a throttled response, with exponential back-off until a submit is accepted. */
export class ThrottlePause {
  private streak = 0;
  private until = 0;

  /** Milliseconds until submits are allowed again; 0 if they are allowed now. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.until - nowMs);
  }

  /** A full window can be throttled at once; only the first throttled response after a pause extends the next pause. */
  throttled(nowMs: number): void {
    if (nowMs < this.until) return;
    this.until = nowMs + throttlePauseMs(this.streak);
    this.streak += 1;
  }

  /** Ignores responses to submits that were sent before the pause. */
  accepted(nowMs: number): void {
    if (this.streak > 0 && nowMs >= this.until) this.streak = 0;
  }
}
