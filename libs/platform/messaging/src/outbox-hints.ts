import { CHANGE_CHANNEL, type ChangeFeed } from '@heliograph/database';
import type { Pool } from 'pg';
import { isQuiet, queryQuietly } from './quiet-query';

const OUTBOX = 'messaging.outbox';
/** Delay between the first use of the database and the hint, so that many uses cause one hint. */
const NOTIFY_DELAY_MS = 20;
/** Minimum time between two hints to other processes. */
const NOTIFY_EVERY_MS = 100;

/**
 * Reports that the outbox may contain new events: after this process has used the database, and when a process without
 * a relay sends a NOTIFY. A NOTIFY in the transaction of the event would serialize all commits of the hot paths,
 * because PostgreSQL holds one lock while notifying transactions commit.
 */
export class OutboxHints {
  private readonly listeners = new Set<() => void>();
  private notifying: NodeJS.Timeout | null = null;
  private notifiedAt = -Infinity;
  private isStopped = false;
  private readonly onRelease = (_error: unknown, client: object): void => {
    if (isQuiet(client)) return;
    if (this.listeners.size > 0) for (const listener of this.listeners) listener();
    else this.notifyOthers();
  };

  /** `notifiesOthers`: whether to notify other processes, because this process has no relay. */
  constructor(
    private readonly pool: Pool,
    private readonly feed: ChangeFeed,
    private readonly notifiesOthers: boolean,
  ) {
    pool.on('release', this.onRelease);
    if (notifiesOthers) return;
    feed.subscribe((change) => {
      if (change === 'unknown' || change.table === OUTBOX) for (const listener of this.listeners) listener();
    });
  }

  /** False if hints may be missed, so that the outbox must be polled often. */
  get areReliable(): boolean {
    return this.feed.live;
  }

  /** Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  stop(): void {
    this.isStopped = true;
    if (this.notifying) clearTimeout(this.notifying);
    this.pool.off('release', this.onRelease);
  }

  private notifyOthers(): void {
    if (!this.notifiesOthers || this.notifying || this.isStopped) return;
    const delayMs = Math.max(NOTIFY_DELAY_MS, this.notifiedAt + NOTIFY_EVERY_MS - performance.now());
    this.notifying = setTimeout(() => {
      this.notifying = null;
      this.notifiedAt = performance.now();
      // A lost hint only delays the event until the next poll.
      queryQuietly(this.pool, 'SELECT pg_notify($1, $2)', [CHANGE_CHANNEL, OUTBOX]).catch(() => undefined);
    }, delayMs);
    this.notifying.unref();
  }
}
