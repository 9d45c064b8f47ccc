import { AppError } from '@heliograph/errors';
import { FairQueue } from './fair-queue';
import type { LaneObserver, ObservedLane, WaitingWork } from './lane-observer';

export interface FairSemaphoreOptions<Kind extends string> {
  /** Name of the stage in metrics and log lines. */
  stage: string;
  /** Maximum number of concurrent entries. */
  slots: number;
  /** Slots that an owner does not get in addition to its share, so that the first entry of another owner never waits. Default: 0. */
  spareSlots?: number;
  /** The kinds of work. */
  kinds: Readonly<Record<Kind, LaneKind>>;
  /** Entries that wait longer are refused when their turn comes. Default: no limit. */
  maxWaitMs?: number;
  /** Default: never. */
  saturation?: Saturation;
  /** The message of RATE_LIMITED. Default: for calls of an organization. */
  refusal?: string;
}

/**
 * Something else than the slots is what the entries wait for, such as the event loop. More concurrent entries of one
 * owner are then not faster, but every step of the others waits for them.
 */
export interface Saturation {
  isSaturated: () => boolean;
  /**
   * Maximum number of concurrent entries of a noisy owner. An owner is noisy if it has more running and waiting entries than the
   * average of all owners. The only owner is noisy if another owner was active within the last second.
   */
  maxOfNoisyOwner: number;
}

export interface LaneKind {
  /** Share of this kind while others wait. */
  weight: number;
  /** Maximum number of concurrent entries of one owner, for work that would wait for the same row. Default: no limit. */
  maxPerOwner?: number;
  /** Maximum number of concurrent entries of all owners. Default: no limit. */
  maxConcurrent?: number;
  /** Kinds of one pool share `maxConcurrent`, which is the same for all of them. Default: the kind alone. */
  pool?: string;
  /** Maximum number of waiting entries of one owner. Further ones are refused. */
  maxWaiting: number;
}

export interface AcquireOptions {
  /** False for the rest of a call that already had an effect, which must not end with 429. Default: true. */
  isRefusable?: boolean;
}

interface Entry<Kind extends string> {
  lane: Lane<Kind>;
  since: number;
  isRefusable: boolean;
  start: () => void;
  refuse: (error: Error) => void;
}

/** Exists while work of the owner is running or waiting. */
interface Owner<Kind extends string> {
  readonly id: string;
  readonly lanes: Map<Kind, Lane<Kind>>;
  running: number;
}

interface Lane<Kind extends string> {
  readonly kind: Kind;
  readonly owner: Owner<Kind>;
  running: number;
  /** Times at which the waiting entries arrived, oldest first. */
  readonly waitingSince: number[];
}

const REFUSAL =
  'Too many calls of your organization are waiting. Try again after the seconds in the Retry-After header, with fewer concurrent calls.';
/** Waits of this length are logged with the id of the owner. */
const HELD_BACK_MS = 1_000;
/** Owners count as active for this time after another owner was running or waiting at the same time. */
const TOGETHER_MS = 1_000;

/**
 * Limits concurrent work, fairly between owners (organizations, or networks of anonymous callers). Waiting work of one
 * owner and one kind is a lane; freed slots are given to the lanes by weighted round robin. While owners wait for each
 * other, each gets an equal share of the slots; an owner that is alone gets all but the spare slots.
 */
export class FairSemaphore<Kind extends string> {
  private readonly queue: FairQueue<Entry<Kind>>;
  private readonly owners = new Map<string, Owner<Kind>>();
  private readonly spareSlots: number;
  private readonly runningOfPool = new Map<string, number>();
  private running = 0;
  /** Monotonic time until which several owners count as active. */
  private togetherUntil = -Infinity;

  constructor(
    private readonly options: FairSemaphoreOptions<Kind>,
    private observer: LaneObserver | null = null,
  ) {
    const kinds = Object.entries<LaneKind>(options.kinds);
    this.queue = new FairQueue(Object.fromEntries(kinds.map(([kind, { weight }]) => [kind, weight])));
    this.spareSlots = options.spareSlots ?? 0;
    if (options.slots - this.spareSlots < 1) throw new RangeError('A semaphore needs more slots than spare slots.');
    if (observer) this.observe(observer);
  }

  /** For a semaphore that exists before the observer of the service. */
  observe(observer: LaneObserver): void {
    this.observer = observer;
    observer.addStage(this.options.stage, () => this.waitingWork());
  }

  /** Number of waiting entries. */
  get depth(): number {
    return this.queue.size;
  }

  get inUse(): number {
    return this.running;
  }

  /** Runs the work in a slot. Throws RATE_LIMITED as `acquire`. */
  async run<R>(kind: Kind, ownerId: string, work: () => Promise<R>, options: AcquireOptions = {}): Promise<R> {
    const release = await this.acquire(kind, ownerId, options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits for a slot and returns the function that releases it; repeated calls of that function have no effect. Throws
   * RATE_LIMITED if the lane is full or too slow, unless the work must not be refused.
   */
  async acquire(kind: Kind, ownerId: string, { isRefusable = true }: AcquireOptions = {}): Promise<() => void> {
    const lane = this.laneOf(kind, ownerId);
    // Entries that wait may not use the slot, because every change of the slots starts all entries that may.
    if (this.running < this.options.slots && this.mayStart(lane)) this.occupy(lane);
    else await this.wait(lane, isRefusable);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.leave(lane);
    };
  }

  private async wait(lane: Lane<Kind>, isRefusable: boolean): Promise<void> {
    if (isRefusable && lane.waitingSince.length >= this.options.kinds[lane.kind].maxWaiting) {
      const error = this.refusal(lane);
      this.forget(lane);
      throw error;
    }
    const since = performance.now();
    lane.waitingSince.push(since);
    await new Promise<void>((resolve, reject) => {
      this.queue.push([lane.kind, lane.owner.id], {
        lane,
        since,
        isRefusable,
        start: resolve,
        refuse: reject,
      });
    });
  }

  private leave(lane: Lane<Kind>): void {
    this.running--;
    lane.running--;
    lane.owner.running--;
    this.countInPool(lane, -1);
    this.forget(lane);
    while (this.queue.size > 0 && this.running < this.options.slots) {
      const entry =
        this.queue.shift(({ lane: waiting }) => this.isBelowShare(waiting)) ??
        this.queue.shift(({ lane: waiting }) => this.mayStart(waiting));
      if (!entry) return;
      this.start(entry);
    }
  }

  private start({ lane, since, isRefusable, start, refuse }: Entry<Kind>): void {
    const { stage, maxWaitMs = Infinity } = this.options;
    const waitedMs = performance.now() - since;
    if (isRefusable && waitedMs > maxWaitMs) {
      const error = this.refusal(lane);
      lane.waitingSince.shift();
      this.forget(lane);
      refuse(error);
      return;
    }
    lane.waitingSince.shift();
    this.occupy(lane);
    this.observer?.countWait(stage, lane.kind, waitedMs);
    if (waitedMs > HELD_BACK_MS) this.observer?.logHeldBack(this.observed(lane), 'waiting', waitedMs);
    start();
  }

  private occupy(lane: Lane<Kind>): void {
    this.running++;
    lane.running++;
    lane.owner.running++;
    this.countInPool(lane, 1);
  }

  private countInPool({ kind }: Lane<Kind>, change: number): void {
    const { pool = kind } = this.options.kinds[kind];
    this.runningOfPool.set(pool, (this.runningOfPool.get(pool) ?? 0) + change);
  }

  /** Whether a free slot is one of the equal shares of the owners that are running or waiting. */
  private isBelowShare(lane: Lane<Kind>): boolean {
    const share = Math.max(1, Math.floor((this.options.slots - this.spareSlots) / this.owners.size));
    return lane.owner.running < share && this.isBelowLimit(lane);
  }

  /** Whether the lane may use a free slot: as its share, or because nobody else wants it. */
  private mayStart(lane: Lane<Kind>): boolean {
    if (!this.isBelowLimit(lane)) return false;
    return this.options.slots - this.running > this.spareSlots || this.isBelowShare(lane);
  }

  private isBelowLimit(lane: Lane<Kind>): boolean {
    const { maxPerOwner = Infinity, maxConcurrent = Infinity, pool = lane.kind } = this.options.kinds[lane.kind];
    if (lane.running >= maxPerOwner || (this.runningOfPool.get(pool) ?? 0) >= maxConcurrent) return false;
    const { saturation } = this.options;
    if (!saturation || lane.owner.running < saturation.maxOfNoisyOwner) return true;
    return !this.isNoisy(lane.owner) || !saturation.isSaturated();
  }

  /** See `maxOfNoisyOwner`. */
  private isNoisy(owner: Owner<Kind>): boolean {
    if (this.owners.size === 1) return performance.now() <= this.togetherUntil;
    let waiting = 0;
    for (const lane of owner.lanes.values()) waiting += lane.waitingSince.length;
    return (owner.running + waiting) * this.owners.size > this.running + this.queue.size;
  }

  private laneOf(kind: Kind, ownerId: string): Lane<Kind> {
    let owner = this.owners.get(ownerId);
    if (!owner) {
      owner = { id: ownerId, lanes: new Map(), running: 0 };
      this.owners.set(ownerId, owner);
      if (this.owners.size > 1) this.togetherUntil = performance.now() + TOGETHER_MS;
    }
    let lane = owner.lanes.get(kind);
    if (!lane) {
      lane = { kind, owner, running: 0, waitingSince: [] };
      owner.lanes.set(kind, lane);
    }
    return lane;
  }

  private forget({ kind, owner, running, waitingSince }: Lane<Kind>): void {
    if (running > 0 || waitingSince.length > 0) return;
    owner.lanes.delete(kind);
    if (owner.lanes.size === 0) this.owners.delete(owner.id);
  }

  private refusal(lane: Lane<Kind>): AppError {
    this.observer?.countRefusal(this.observed(lane));
    const [oldest = performance.now()] = lane.waitingSince;
    return new AppError('RATE_LIMITED', this.options.refusal ?? REFUSAL, {
      retryAfterSeconds: Math.max(1, Math.ceil((performance.now() - oldest) / 1_000)),
    });
  }

  private observed(lane: Lane<Kind>): ObservedLane {
    return {
      stage: this.options.stage,
      kind: lane.kind,
      owner: lane.owner.id,
    };
  }

  private *waitingWork(): Iterable<WaitingWork> {
    const now = performance.now();
    for (const kind of Object.keys(this.options.kinds) as Kind[]) {
      let waiting = 0;
      let since = now;
      for (const { lanes } of this.owners.values()) {
        const lane = lanes.get(kind);
        waiting += lane?.waitingSince.length ?? 0;
        since = Math.min(since, lane?.waitingSince[0] ?? now);
      }
      yield { kind, waiting, oldestMs: now - since };
    }
  }
}
