import { ThroughputBucket } from '@heliograph/fairness';
import { AdaptiveRate } from './adaptive-rate';
import { ThrottlePause } from './throttle-pause';

/** Highest rate of an account without a configured throughput. */
const UNLIMITED = 100_000;

/**
 * Decides when the next submit PDU may be written: at most at the configured throughput, at the rate that the carrier
 * accepts, and not during the pause after a throttled response. Times are monotonic milliseconds.
 */
export class SubmitPacing {
  private readonly rate: AdaptiveRate;
  private readonly bucket: ThroughputBucket;
  private readonly pause = new ThrottlePause();

  /** `throughputPerSecond` null means that the account has no limit. */
  constructor(throughputPerSecond: number | null, nowMs: number) {
    this.rate = new AdaptiveRate(throughputPerSecond ?? UNLIMITED);
    this.bucket = new ThroughputBucket(this.rate.perSecond, nowMs);
  }

  /** Submits per second that are allowed now. */
  get perSecond(): number {
    return this.rate.perSecond;
  }

  /** Milliseconds until a submit is allowed; 0 if one is allowed now. */
  waitMs(nowMs: number): number {
    return Math.max(this.pause.waitMs(nowMs), this.bucket.waitMs(nowMs));
  }

  /** Reserves one submit, in advance if necessary, and returns how many milliseconds to wait before it. */
  reserve(nowMs: number): number {
    this.pause.started(nowMs);
    return this.bucket.reserve(nowMs);
  }

  /** Returns an unused reservation. */
  refund(): void {
    this.bucket.refund();
  }

  accepted(nowMs: number): void {
    this.pause.accepted(nowMs);
    this.rate.accepted(nowMs);
    this.bucket.setRate(this.rate.perSecond, nowMs);
  }

  throttled(nowMs: number): void {
    // While the carrier accepts no submits, its rate cannot be measured, so only the pause increases.
    if (!this.pause.throttled(nowMs)) return;
    this.rate.throttled(nowMs);
    this.bucket.setRate(this.rate.perSecond, nowMs);
  }
}
