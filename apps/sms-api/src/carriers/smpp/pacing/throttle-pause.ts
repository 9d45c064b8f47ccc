const FIRST_PAUSE_MS = 250;
/** Below five seconds, so that the first retry of a throttled message comes within five. */
const LONGEST_PAUSE_MS = 4_000;

/** Length of the pause after the given number of throttlings in a row before this one, in milliseconds. */
export function throttlePauseMs(previous: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(previous, 10));
}

/** Stops new submits for a while after the carrier said "not now", longer each time until one is taken again. */
export class ThrottlePause {
  private streak = 0;
  private until = 0;

  /** Milliseconds until submits may go out again; 0 when they may now. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.until - nowMs);
  }

  /** A whole window is refused at once; only the first refusal after a pause makes the next one longer. */
  throttled(nowMs: number): void {
    if (nowMs < this.until) return;
    this.until = nowMs + throttlePauseMs(this.streak);
    this.streak += 1;
  }

  /** Answers that were under way when the pause began say nothing about it. */
  accepted(nowMs: number): void {
    if (this.streak > 0 && nowMs >= this.until) this.streak = 0;
  }
}
