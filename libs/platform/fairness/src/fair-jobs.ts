import { FairQueue } from './fair-queue';
import type { LaneObserver } from './lane-observer';

/** Long work of an organization, such as an import, that is leased to this process. */
export interface FairJob {
  id: string;
  organizationId: string;
}

/** Which job a process may lease next. */
export interface ClaimRequest {
  /** The organizations with open jobs in this process. Jobs of others come first. */
  held: string[];
  /** Whether only a job of another organization may be leased. */
  onlyOthers: boolean;
}

export interface FairJobsOptions<Job extends FairJob> {
  /** Name of the stage in metrics. */
  stage: string;
  /** Number of slices that run at the same time. One organization can use all of them. */
  slots: number;
  /** Leases a waiting job to this process; null if none may be leased. */
  claim: (request: ClaimRequest) => Promise<Job | null>;
  /** Runs an open job and stores its end, or its release if `turns.next` returns false. Must not throw. */
  run: (job: Job, turns: JobTurns) => Promise<void>;
  /** Returns a job that has not begun to the waiting ones. Must not throw. */
  release: (job: Job) => Promise<void>;
  observer?: LaneObserver;
}

/** The turns of an open job. */
export interface JobTurns {
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  /** Whether jobs of other organizations are open in this process. Steps should be short then. */
  readonly isShared: boolean;
  /**
   * To be called between the steps of a job. Resolves immediately unless the slice is over and another job waits; then it resolves
   * with the next turn of the job. False: the job must be released, because the process stops or other organizations wait for room.
   */
  next(): Promise<boolean>;
}

/** A job that has run this long gives its slot to the next one that waits, at its next call of `next`. */
const SLICE_MS = 50;
/** Time after which a slice does not occupy a slot for other organizations: a slow step of one delays nobody else. */
const OVERDUE_MS = 250;
/** Maximum number of slices of this kind beyond `slots`. Each uses a connection. */
const MAX_OVERDUE = 2;
/** Maximum number of open jobs, which take memory. */
const MAX_OPEN = 32;
/** Time for which a job stays open although others wait for room, so that opening it is worthwhile. */
const MIN_OPEN_MS = 10_000;

/** A job with a place in the rotation. */
interface OpenJob {
  job: FairJob;
  openedAt: number;
  mustRelease: boolean;
  slice: Slice | null;
  done: Promise<void>;
}

interface Slice {
  startedAt: number;
  isOverdue: boolean;
  timer: NodeJS.Timeout;
}

interface Waiting {
  open: OpenJob;
  since: number;
  start: () => void;
}

/**
 * Runs long jobs of many organizations in short slices, by round robin over organizations. A process leases a job of every
 * organization that has one, so that none waits for the end of another's. An organization that is alone uses all slots.
 */
export class FairJobs<Job extends FairJob> {
  private readonly opened = new Set<OpenJob>();
  private readonly waiting = new FairQueue<Waiting>();
  private readonly since = new Set<Waiting>();
  private readonly stopping = new AbortController();
  private filling: Promise<void> | null = null;

  constructor(private readonly options: FairJobsOptions<Job>) {
    options.observer?.addStage(options.stage, () => [
      { kind: 'job', waiting: this.since.size, oldestMs: this.oldestMs() },
    ]);
  }

  /** Leases jobs until none waits that may run. To be called periodically, also while jobs run. */
  fill(): Promise<void> {
    this.filling ??= this.lease().finally(() => (this.filling = null));
    return this.filling;
  }

  /** The jobs that are open in this process. */
  open(): Job[] {
    return [...this.opened].map(({ job }) => job as Job);
  }

  /** Resolves when no job is open and none waits that may run. */
  async idle(): Promise<void> {
    while (this.filling || this.opened.size > 0) {
      await this.filling?.catch(() => undefined);
      await Promise.all([...this.opened].map(({ done }) => done));
    }
  }

  /** Leases no further job, and waits until the open ones are released. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) this.start(next);
    await this.idle();
  }

  private async lease(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const evicted = this.opened.size < MAX_OPEN ? null : this.longestOpen();
      if (this.opened.size >= MAX_OPEN && !evicted) return;
      const held = [...new Set([...this.opened].map(({ job }) => job.organizationId))];
      const job = await this.options.claim({ held, onlyOthers: this.opened.size >= this.options.slots });
      if (!job) return;
      if (evicted) evicted.mustRelease = true;
      this.begin(job);
    }
  }

  /** The job that makes room; null if one already does, or all were opened recently. */
  private longestOpen(): OpenJob | null {
    const jobs = [...this.opened];
    const [longest] = jobs;
    if (!longest || jobs.some(({ mustRelease }) => mustRelease)) return null;
    return performance.now() - longest.openedAt < MIN_OPEN_MS ? null : longest;
  }

  private begin(job: Job): void {
    const open: OpenJob = {
      job,
      openedAt: performance.now(),
      mustRelease: false,
      slice: null,
      done: Promise.resolve(),
    };
    this.opened.add(open);
    open.done = this.run(job, open).finally(() => {
      this.leave(open);
      this.opened.delete(open);
      // A failure is repeated and reported by the next periodic call.
      this.fill().catch(() => undefined);
    });
  }

  private async run(job: Job, open: OpenJob): Promise<void> {
    const mayBegin = await this.turn(open);
    if (!mayBegin) return this.options.release(job);
    const isShared = (): boolean => this.isShared(job.organizationId);
    await this.options.run(job, {
      signal: this.stopping.signal,
      get isShared() {
        return isShared();
      },
      next: () => this.next(open),
    });
  }

  private async next(open: OpenJob): Promise<boolean> {
    if (this.stopping.signal.aborted || open.mustRelease) return false;
    const { slice } = open;
    if (slice && !slice.isOverdue) {
      if (performance.now() - slice.startedAt < SLICE_MS) return true;
      if (this.waiting.size === 0) {
        slice.startedAt = performance.now();
        slice.timer.refresh();
        return true;
      }
    }
    this.leave(open);
    return this.turn(open);
  }

  /** Waits for a slot. False if the job must be released. */
  private async turn(open: OpenJob): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    await new Promise<void>((start) => {
      const waiting = { open, since: performance.now(), start };
      this.since.add(waiting);
      this.waiting.push([open.job.organizationId], waiting);
      this.grant();
    });
    return !this.stopping.signal.aborted && !open.mustRelease;
  }

  /** Starts the slices that may run now. */
  private grant(): void {
    for (;;) {
      const next = this.waiting.shift(({ open }) => this.mayRun(open.job.organizationId));
      if (!next) return;
      this.start(next);
    }
  }

  private start(waiting: Waiting): void {
    const { open, since, start } = waiting;
    this.since.delete(waiting);
    const now = performance.now();
    this.options.observer?.countWait(this.options.stage, 'job', now - since);
    const timer = setTimeout(() => {
      slice.isOverdue = true;
      this.grant();
    }, OVERDUE_MS);
    timer.unref();
    const slice: Slice = { startedAt: now, isOverdue: false, timer };
    open.slice = slice;
    start();
  }

  private leave(open: OpenJob): void {
    if (!open.slice) return;
    clearTimeout(open.slice.timer);
    open.slice = null;
    this.grant();
  }

  private mayRun(organizationId: string): boolean {
    let all = 0;
    let own = 0;
    let overdue = 0;
    for (const { job, slice } of this.opened) {
      if (!slice) continue;
      all++;
      if (job.organizationId === organizationId) own++;
      if (slice.isOverdue) overdue++;
    }
    const { slots } = this.options;
    return own < slots && all - overdue < slots && all < slots + MAX_OVERDUE;
  }

  private isShared(organizationId: string): boolean {
    for (const { job } of this.opened) if (job.organizationId !== organizationId) return true;
    return false;
  }

  private oldestMs(): number {
    const [oldest] = this.since;
    return oldest ? performance.now() - oldest.since : 0;
  }
}
