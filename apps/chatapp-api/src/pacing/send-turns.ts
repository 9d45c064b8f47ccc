import { AppError } from '@heliograph/errors';
import { FairQueue, ThroughputBucket } from '@heliograph/pacing';
import { PairPace } from './pair-pace';

export interface SendTurnsOptions {
  /** Sends under way at once. */
  slots: number;
  /** What the account may send; 0 for no pace. */
  perSecond: number;
  /** What one number may get at once, 0 for no pace; and how long until it may get one more. */
  pairBurst: number;
  pairIntervalMs: number;
  /** Longer than this nobody waits. */
  maxWaitMs: number;
}

interface Waiting {
  given: boolean;
  give: () => void;
}

/**
 * Whose turn it is to send through the account that all share. Workspaces take turns, so whoever sends much waits for
 * itself; nothing is charged while it waits.
 */
export class SendTurns {
  private readonly queue = new FairQueue<Waiting>();
  private readonly bucket: ThroughputBucket;
  private readonly pairs: PairPace;
  private underWay = 0;
  private waiting = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: SendTurnsOptions) {
    this.bucket = new ThroughputBucket(options.perSecond === 0 ? null : options.perSecond, performance.now());
    this.pairs = new PairPace(options.pairBurst, options.pairIntervalMs);
  }

  /** Sends that wait for their turn. */
  get depth(): number {
    return this.waiting;
  }

  get inFlight(): number {
    return this.underWay;
  }

  /**
   * Waits for a turn and answers how to give it back. Throws CHATAPP_RATE_LIMITED when it would not come in time.
   */
  async take(workspaceId: string, number: string): Promise<() => void> {
    const startedAt = performance.now();
    const pairWaitMs = this.pairs.waitMs(number, startedAt);
    if (pairWaitMs > this.options.maxWaitMs) {
      throw tooMany('This number has been sent to too often in a short time.', pairWaitMs);
    }
    this.pairs.reserve(number, startedAt);
    if (pairWaitMs > 0) await delay(pairWaitMs);
    if (this.waiting > 0 || !this.isFree()) {
      await this.wait(workspaceId, number, this.options.maxWaitMs - pairWaitMs);
    } else {
      this.begin();
    }
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.underWay--;
      this.next();
    };
  }

  private wait(workspaceId: string, number: string, maxWaitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        given: false,
        give: () => {
          clearTimeout(deadline);
          resolve();
        },
      };
      const deadline = setTimeout(() => {
        // It stays in the queue and is passed over there.
        entry.given = true;
        this.waiting--;
        reject(tooMany('The shared account is busy.', 1_000));
      }, maxWaitMs);
      this.waiting++;
      this.queue.push(workspaceId, number, entry);
      this.next();
    });
  }

  private next(): void {
    while (this.waiting > 0 && this.isFree()) {
      const entry = this.queue.shift();
      if (!entry) return;
      if (entry.given) continue;
      entry.given = true;
      this.waiting--;
      this.begin();
      entry.give();
    }
    if (this.waiting === 0 || this.timer || this.underWay >= this.options.slots) return;
    // Slots are free, so it is the pace that is waited for.
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.next();
      },
      Math.max(1, Math.ceil(this.bucket.waitMs(performance.now()))),
    );
  }

  private begin(): void {
    this.underWay++;
    this.bucket.reserve(performance.now());
  }

  private isFree(): boolean {
    return this.underWay < this.options.slots && this.bucket.waitMs(performance.now()) === 0;
  }
}

function tooMany(what: string, waitMs: number): AppError {
  return new AppError('CHATAPP_RATE_LIMITED', `${what} Nothing was sent or charged; try again later.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
