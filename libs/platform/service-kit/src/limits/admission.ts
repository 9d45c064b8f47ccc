import { Inject, Injectable } from '@nestjs/common';
import { EventLoopLoad, FairSemaphore, LaneObserver } from '@heliograph/fairness';
import { CONFIG } from '../tokens';

/**
 * Lanes of the calls of an API process that need a database connection. `access`: the session or key of a call is looked
 * up. `read` and `write`: calls of an organization; its writes often wait for the same row, such as its credits.
 * `anonymous`: calls without credentials.
 */
export type AdmissionKind = 'access' | 'read' | 'write' | 'anonymous';

const DEFAULT_POOL_SIZE = 10;
/** Waiting calls of one organization and kind. At the usual rate limit, they are the calls of about one second. */
const MAX_WAITING = 200;
/** Clients have usually given up after this time. */
const MAX_WAIT_MS = 10_000;
/** More concurrent calls would not be faster for their owner, but would delay the others. */
const MAX_OF_NOISY_OWNER = 1;

/**
 * Admits calls to the connections of the process, before they wait for the pool: fairly by organization, and only a few
 * of each at a time. A call holds its slot while it may use connections, and never during a call to an upstream service.
 */
@Injectable()
export class Admission {
  private readonly slots: FairSemaphore<AdmissionKind>;

  constructor(@Inject(CONFIG) config: { DATABASE_POOL_SIZE?: number }, observer: LaneObserver) {
    // The other connections are for group commits of locked lanes and background tasks.
    const slots = Math.max(2, Math.floor((config.DATABASE_POOL_SIZE ?? DEFAULT_POOL_SIZE) * 0.8));
    const maxWaiting = MAX_WAITING;
    this.slots = new FairSemaphore(
      {
        stage: 'admission',
        slots,
        spareSlots: Math.floor(slots / 4),
        maxWaitMs: MAX_WAIT_MS,
        saturation: { isSaturated: new EventLoopLoad().isSaturated, maxOfNoisyOwner: MAX_OF_NOISY_OWNER },
        kinds: {
          access: { weight: 4, maxWaiting },
          read: { weight: 2, maxWaiting, maxPerOwner: Math.ceil(slots / 2) },
          write: { weight: 2, maxWaiting, maxPerOwner: Math.ceil(slots / 2) },
          anonymous: { weight: 1, maxWaiting, maxConcurrent: Math.ceil(slots / 2) },
        },
      },
      observer,
    );
  }

  /** Waits for a slot and returns the function that releases it. Throws RATE_LIMITED if the lane is full. */
  acquire(kind: AdmissionKind, ownerId: string): Promise<() => void> {
    return this.slots.acquire(kind, ownerId);
  }

  /** Runs work that uses connections in a slot. Throws RATE_LIMITED if the lane is full. */
  run<R>(kind: AdmissionKind, ownerId: string, work: () => Promise<R>): Promise<R> {
    return this.slots.run(kind, ownerId, work);
  }

  /** Like `run`, for the rest of a call that already had an effect. It is never refused. */
  runRest<R>(kind: AdmissionKind, ownerId: string, work: () => Promise<R>): Promise<R> {
    return this.slots.run(kind, ownerId, work, { isRefusable: false });
  }
}
