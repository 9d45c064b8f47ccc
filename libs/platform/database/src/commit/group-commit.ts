import { FairQueue, type LaneObserver } from '@heliograph/fairness';
import { AppError, isDependencyFailure, serviceUnavailable } from '@heliograph/errors';

export interface GroupCommitOptions<T, R> {
  /**
   * Writes all items in one transaction. Returns the results in the order of the items.
   * @param waitsForLocks if false, the transaction gives up with 55P03 when it waits for a row lock for more than a
   *   moment (`CommitPools`), because the items of other lanes in the batch would wait as well
   */
  flush: (items: T[], waitsForLocks: boolean) => Promise<R[]>;
  /** Items of one lane, such as a workspace, may wait for the same row locks. Default: one lane, which waits for locks. */
  laneOf?: (item: T) => string;
  /** The lanes of one owner, such as the workspaces of an organization, share its turns. Default: each lane has its own. */
  ownerOf?: (item: T) => string;
  maxBatch?: number;
  /** Maximum number of queued items. Further items are rejected with 503. */
  maxQueue?: number;
  /** Maximum number of queued items of one lane. Further ones are rejected with 429. Default: no limit. */
  maxQueuePerLane?: number;
  /** Counts and logs refused items. `stage` is the name of the lanes in metrics. */
  observed?: { by: Pick<LaneObserver, 'countRefusal'>; stage: string };
  onFlush?: (size: number, durationMs: number) => void;
}

interface Waiting<T, R> {
  item: T;
  owner: string;
  lane: string;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/** A lane whose rows are locked by somebody else. Its items are written apart from those of all other lanes. */
interface LockedLane {
  isWriting: boolean;
  /** Monotonic time of the last batch that got no lock. */
  failedAt: number;
}

/** Sends of one workspace that wait for a commit. Within the usual rate limit, they are the sends of ten seconds. */
export const MAX_WAITING_SENDS = 2_000;

const RETRY_ONCE = new Set(['40001', '40P01']);
const LOCK_NOT_AVAILABLE = '55P03';
/** Concurrent batches of locked lanes. Each may occupy a connection until the lock time-out. */
const MAX_LOCKED_WRITES = 2;
/** After this time without a failure, a locked lane is written together with the others again. */
const LOCKED_MS = 60_000;

/**
 * Natural group commit: an idle group commit flushes immediately, and items that arrive during a flush form the next
 * batch. There is no timer, so low load has no extra latency and high load needs one round trip per batch.
 *
 * When a batch is filled, the owners take turns, and the lanes of an owner take turns, so that one with many items does not delay the
 * others. A batch that the database rejects is split in halves until the invalid item is alone, and only that item fails. A batch that waits
 * for a row lock gives up and is split by lanes, until the lane that somebody else has locked is alone; its items are
 * then written apart, and wait for the lock. A batch whose connection was lost is not retried, because it may have been
 * committed; the idempotency key of the caller makes a repeated call safe.
 */
export class GroupCommit<T, R> {
  private readonly queue = new FairQueue<Waiting<T, R>>();
  /** Number of queued items of each lane. */
  private readonly queued = new Map<string, number>();
  private readonly locked = new Map<string, LockedLane>();
  private lockedWrites = 0;
  private flushing = false;
  private idle: (() => void)[] = [];
  private readonly laneOf: (item: T) => string;
  private readonly ownerOf: (item: T) => string;
  private readonly maxBatch: number;
  private readonly maxQueue: number;
  private readonly maxQueuePerLane: number;

  constructor(private readonly options: GroupCommitOptions<T, R>) {
    this.laneOf = options.laneOf ?? (() => '');
    this.ownerOf = options.ownerOf ?? this.laneOf;
    this.maxBatch = options.maxBatch ?? 256;
    this.maxQueue = options.maxQueue ?? 10_000;
    this.maxQueuePerLane = options.maxQueuePerLane ?? Infinity;
  }

  get depth(): number {
    return this.queue.size;
  }

  submit(item: T): Promise<R> {
    if (this.queue.size >= this.maxQueue) return Promise.reject(serviceUnavailable('group commit queue is full'));
    const lane = this.laneOf(item);
    if ((this.queued.get(lane) ?? 0) >= this.maxQueuePerLane) return Promise.reject(this.refusal(lane));
    return new Promise<R>((resolve, reject) => {
      this.enqueue({ item, owner: this.ownerOf(item), lane, resolve, reject });
      this.start();
    });
  }

  /** Resolves when no item is queued or in flight. */
  drain(): Promise<void> {
    if (this.isIdle) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private get isIdle(): boolean {
    return !this.flushing && this.lockedWrites === 0 && this.queue.size === 0;
  }

  private enqueue(waiting: Waiting<T, R>): void {
    this.queued.set(waiting.lane, (this.queued.get(waiting.lane) ?? 0) + 1);
    this.queue.push([waiting.owner, waiting.lane], waiting);
  }

  private start(): void {
    if (this.flushing) return;
    this.flushing = true;
    // Items that arrive in this turn of the event loop join the first batch.
    setImmediate(() => void this.run());
  }

  private async run(): Promise<void> {
    for (;;) {
      this.writeLockedLanes();
      const batch = this.take(({ lane }) => !this.isLocked(lane));
      if (batch.length === 0) break;
      await this.write(batch, true, this.options.laneOf === undefined);
    }
    this.flushing = false;
    if (this.isIdle) for (const resolve of this.idle.splice(0)) resolve();
  }

  private take(isAllowed: (waiting: Waiting<T, R>) => boolean): Waiting<T, R>[] {
    const batch: Waiting<T, R>[] = [];
    while (batch.length < this.maxBatch) {
      const waiting = this.queue.shift(isAllowed);
      if (!waiting) break;
      const queued = (this.queued.get(waiting.lane) ?? 0) - 1;
      if (queued > 0) this.queued.set(waiting.lane, queued);
      else this.queued.delete(waiting.lane);
      batch.push(waiting);
    }
    return batch;
  }

  private isLocked(lane: string): boolean {
    if (this.locked.size === 0) return false;
    const state = this.locked.get(lane);
    if (!state) return false;
    if (state.isWriting || performance.now() - state.failedAt < LOCKED_MS) return true;
    this.locked.delete(lane);
    return false;
  }

  /** Starts to write the items of locked lanes, without waiting for them. */
  private writeLockedLanes(): void {
    for (const [lane, state] of this.locked) {
      if (this.lockedWrites >= MAX_LOCKED_WRITES) return;
      if (state.isWriting || !this.queued.has(lane)) continue;
      void this.writeLocked(
        lane,
        this.take((waiting) => waiting.lane === lane),
      );
    }
  }

  private async writeLocked(lane: string, batch: Waiting<T, R>[]): Promise<void> {
    const state = { isWriting: true, failedAt: performance.now() };
    // Moves the lane behind the other locked ones.
    this.locked.delete(lane);
    this.locked.set(lane, state);
    this.lockedWrites++;
    const hadLock = await this.write(batch, true, true);
    this.lockedWrites--;
    state.isWriting = false;
    state.failedAt = performance.now();
    if (hadLock) this.locked.delete(lane);
    this.start();
  }

  /** Returns false if the batch did not get a lock. */
  private async write(batch: Waiting<T, R>[], mayRetry: boolean, waitsForLocks: boolean): Promise<boolean> {
    const startedAt = performance.now();
    let results: R[];
    try {
      results = await this.options.flush(
        batch.map(({ item }) => item),
        waitsForLocks,
      );
    } catch (error) {
      return this.recover(batch, error, mayRetry, waitsForLocks);
    }
    this.options.onFlush?.(batch.length, performance.now() - startedAt);
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined && !(index in results))
        reject(new Error('group commit: the flush returned too few results'));
      else resolve(result as R);
    });
    return true;
  }

  private async recover(
    batch: Waiting<T, R>[],
    error: unknown,
    mayRetry: boolean,
    waitsForLocks: boolean,
  ): Promise<boolean> {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (mayRetry && RETRY_ONCE.has(code)) return this.write(batch, false, waitsForLocks);
    if (code === LOCK_NOT_AVAILABLE && !waitsForLocks) return this.splitByLanes(batch, mayRetry);
    if (batch.length === 1 || isDependencyFailure(error)) {
      for (const { reject } of batch) reject(error);
      return code !== LOCK_NOT_AVAILABLE;
    }
    const middle = batch.length >> 1;
    const halves = [batch.slice(0, middle), batch.slice(middle)];
    let hadLocks = true;
    for (const half of halves) if (!(await this.write(half, mayRetry, waitsForLocks))) hadLocks = false;
    return hadLocks;
  }

  private async splitByLanes(batch: Waiting<T, R>[], mayRetry: boolean): Promise<boolean> {
    const lanes = [...new Set(batch.map(({ lane }) => lane))];
    const [first = ''] = lanes;
    if (lanes.length === 1) {
      this.locked.set(first, { isWriting: false, failedAt: performance.now() });
      for (const waiting of batch) this.enqueue(waiting);
      this.writeLockedLanes();
      return false;
    }
    const half = new Set(lanes.slice(0, lanes.length >> 1));
    const isInHalf = ({ lane }: Waiting<T, R>): boolean => half.has(lane);
    const isFirstDone = await this.write(batch.filter(isInHalf), mayRetry, false);
    const isSecondDone = await this.write(
      batch.filter((waiting) => !isInHalf(waiting)),
      mayRetry,
      false,
    );
    return isFirstDone && isSecondDone;
  }

  private refusal(lane: string): AppError {
    const { observed } = this.options;
    if (observed) observed.by.countRefusal({ stage: observed.stage, kind: 'commit', owner: lane });
    return new AppError(
      'RATE_LIMITED',
      'Too many calls of your organization are waiting. Try again after the seconds in the Retry-After header, with fewer concurrent calls.',
      { retryAfterSeconds: 1 },
    );
  }
}
