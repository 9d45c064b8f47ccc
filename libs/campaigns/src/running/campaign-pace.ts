const MINUTE_MS = 60_000;
/** Maximum delay that a campaign catches up with. */
export const MAX_CATCH_UP_MS = 5_000;

/** The pace of a campaign in one turn. Each message takes its share of a minute from the time at which the campaign is due. */
export class CampaignPace {
  /** The time that the messages of this turn take, in ms. */
  delayMs = 0;
  private readonly dueAtMs: number;

  /** `ratePerMinute`: null without a limit. */
  constructor(
    private readonly ratePerMinute: number | null,
    dueAt: Date,
    nowMs: number,
  ) {
    this.dueAtMs = Math.max(dueAt.getTime(), nowMs - MAX_CATCH_UP_MS);
  }

  /** The number of messages that may be sent now, from 1 to `most`. */
  limit(most: number, nowMs: number): number {
    if (this.ratePerMinute === null) return most;
    const lateMs = nowMs - this.dueAtMs - this.delayMs;
    return Math.min(most, Math.max(1, Math.floor((lateMs * this.ratePerMinute) / MINUTE_MS) + 1));
  }

  add(messages: number): void {
    if (this.ratePerMinute !== null) this.delayMs += (messages * MINUTE_MS) / this.ratePerMinute;
  }

  /** Whether the next message may be sent. */
  isDue(nowMs: number): boolean {
    return this.dueAtMs + this.delayMs <= nowMs;
  }
}
