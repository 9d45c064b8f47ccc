const FIRST_PAUSE_MS = 250;
/** Below five seconds, so that a throttled message is retried within five seconds. */
const LONGEST_PAUSE_MS = 4_000;

/** Duration of the pause in milliseconds, after `previous` consecutive throttled responses. */
export function throttlePauseMs(previous: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(previous, 10));
}

/**
 * Pauses new submits after a throttled response, with exponential back-off. After a pause, single submits probe the
 * carrier until one is accepted.
 */
export class ThrottlePause {
  private streak = 0;
  private until = 0;
  private probing = false;

  /** Milliseconds until submits are allowed again; 0 if they are allowed now. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.until - nowMs);
  }

  /**
   * All submits of a window can be throttled at the same time, so only the first throttled response after a pause
   * extends the next pause. Returns true if submits were accepted since the previous pause.
   */
  throttled(nowMs: number): boolean {
    if (nowMs < this.until && !this.probing) return false;
    this.probing = false;
    this.until = nowMs + throttlePauseMs(this.streak);
    this.streak += 1;
    return this.streak === 1;
  }

  /** Ignores responses to submits that were sent before the pause. */
  accepted(nowMs: number): void {
    if (this.streak === 0 || (nowMs < this.until && !this.probing)) return;
    this.streak = 0;
    this.until = 0;
    this.probing = false;
  }

  /** To be called when a submit starts. A probe blocks other submits until it has a response or the shortest pause has passed. */
  started(nowMs: number): void {
    if (this.streak === 0) return;
    this.probing = true;
    this.until = nowMs + FIRST_PAUSE_MS;
  }
}
