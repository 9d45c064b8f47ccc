import { AppError } from '@heliograph/errors';
import { FairQueue, ThroughputBucket } from '@heliograph/fairness';
import { PairPace } from './pair-pace';

export interface SendSemaphoreOptions {
  /** Maximum number of concurrent sends. */
  slots: number;
  /** Rate limit of the account; 0 disables it. */
  perSecond: number;
  /** Burst size per number (0 disables the limit), and the interval after which one more message is allowed. */
  pairBurst: number;
  pairIntervalMs: number;
  /** Maximum waiting time. */
  maxWaitMs: number;
}

interface Waiter {
  settled: boolean;
  resume: () => void;
}

/**
 * Limits the concurrency and the rate of sends through the shared account. Organizations are served in turn, so an
 * organization that sends many messages only delays its own messages. Nothing is charged while a send waits.
 */
export class SendSemaphore {
  private readonly queue = new FairQueue<Waiter>();
  private readonly bucket: ThroughputBucket;
  private readonly pairs: PairPace;
  private active = 0;
  private waiting = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: SendSemaphoreOptions) {
    this.bucket = new ThroughputBucket(options.perSecond === 0 ? null : options.perSecond, performance.now());
    this.pairs = new PairPace(options.pairBurst, options.pairIntervalMs);
  }

  /** Number of sends waiting for a slot. */
  get depth(): number {
    return this.waiting;
  }

  get inFlight(): number {
    return this.active;
  }

  /** Waits for a slot and returns its release function. Throws CHATAPP_RATE_LIMITED if no slot becomes free in time. */
  async acquire(organizationId: string, number: string): Promise<() => void> {
    const startedAt = performance.now();
    const pairWaitMs = this.pairs.waitMs(number, startedAt);
    if (pairWaitMs > this.options.maxWaitMs) {
      throw tooMany('Too many messages were sent to this number in a short time.', pairWaitMs);
    }
    this.pairs.reserve(number, startedAt);
    if (pairWaitMs > 0) await delay(pairWaitMs);
    if (this.waiting > 0 || !this.isFree()) {
      await this.wait(organizationId, number, this.options.maxWaitMs - pairWaitMs);
    } else {
      this.occupy();
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.active--;
      this.next();
    };
  }

  private wait(organizationId: string, number: string, maxWaitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiter = {
        settled: false,
        resume: () => {
          clearTimeout(deadline);
          resolve();
        },
      };
      const deadline = setTimeout(() => {
        // The entry remains in the queue; `next` skips it.
        entry.settled = true;
        this.waiting--;
        reject(tooMany('The shared account is busy.', 1_000));
      }, maxWaitMs);
      this.waiting++;
      this.queue.push([organizationId, number], entry);
      this.next();
    });
  }

  private next(): void {
    while (this.waiting > 0 && this.isFree()) {
      const entry = this.queue.shift();
      if (!entry) return;
      if (entry.settled) continue;
      entry.settled = true;
      this.waiting--;
      this.occupy();
      entry.resume();
    }
    if (this.waiting === 0 || this.timer || this.active >= this.options.slots) return;
    // Slots are free, so the first entry waits for the rate limit only.
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.next();
      },
      Math.max(1, Math.ceil(this.bucket.waitMs(performance.now()))),
    );
  }

  private occupy(): void {
    this.active++;
    this.bucket.reserve(performance.now());
  }

  private isFree(): boolean {
    return this.active < this.options.slots && this.bucket.waitMs(performance.now()) === 0;
  }
}

function tooMany(what: string, waitMs: number): AppError {
  return new AppError(
    'CHATAPP_RATE_LIMITED',
    `${what} Nothing was sent or charged. Try again after the seconds in Retry-After.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    },
  );
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
