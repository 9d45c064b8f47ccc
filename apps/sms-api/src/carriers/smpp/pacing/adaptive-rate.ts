/** Submits per second at the start; a carrier without a limit is at full speed within about a second. */
const FIRST_RATE = 100;
const LOWEST_RATE = 0.5;
/** Until the first throttled response, each accepted submit raises the rate by this much: it grows exponentially. */
const START_STEP = 3;
/** Increase per second, as a share of the rate after the last decrease. */
const INCREASE_SHARE = 0.05;
/** The increase doubles after each period without a throttled response. */
const DOUBLING_MS = 10_000;
const LARGEST_DECREASE = 0.5;
const SAFETY = 0.9;
const METER_SLOTS = 10;
const METER_SLOT_MS = 100;

/**
 * Finds the rate that a carrier accepts: additive increase, multiplicative decrease (Chiu and Jain, 1989). A decrease
 * sets the rate slightly below the number of submits that the carrier accepted during the last second, but not below
 * half of the rate. Times are monotonic milliseconds supplied by the caller.
 */
export class AdaptiveRate {
  private rate: number;
  /** Submits per second that are added to the rate each second; null until the first throttled response. */
  private increase: number | null = null;
  private doubleAtMs = 0;
  private readonly meter = new Array<number>(METER_SLOTS).fill(0);
  private slot = 0;

  /** `highest` is in submits per second. */
  constructor(private readonly highest: number) {
    this.rate = Math.min(highest, FIRST_RATE);
  }

  /** Submits per second. */
  get perSecond(): number {
    return this.rate;
  }

  accepted(nowMs: number): void {
    this.advance(nowMs);
    const index = this.slot % METER_SLOTS;
    this.meter[index] = (this.meter[index] ?? 0) + 1;
    if (this.increase !== null && nowMs >= this.doubleAtMs) {
      this.increase *= 2;
      this.doubleAtMs = nowMs + DOUBLING_MS;
    }
    this.rate = Math.min(this.highest, this.rate + (this.increase === null ? START_STEP : this.increase / this.rate));
  }

  /** Decreases the rate. Call it once for each group of consecutive throttled responses. */
  throttled(nowMs: number): void {
    this.advance(nowMs);
    const acceptedPerSecond = this.meter.reduce((sum, count) => sum + count, 0);
    const measured = Math.min(this.rate, acceptedPerSecond) * SAFETY;
    this.rate = Math.max(LOWEST_RATE, measured, this.rate * LARGEST_DECREASE);
    this.increase = this.rate * INCREASE_SHARE;
    this.doubleAtMs = nowMs + DOUBLING_MS;
  }

  /** Moves the meter to the current time and resets its expired slots. */
  private advance(nowMs: number): void {
    const slot = Math.floor(nowMs / METER_SLOT_MS);
    for (let next = Math.max(this.slot + 1, slot - METER_SLOTS + 1); next <= slot; next += 1) {
      this.meter[next % METER_SLOTS] = 0;
    }
    this.slot = Math.max(this.slot, slot);
  }
}
