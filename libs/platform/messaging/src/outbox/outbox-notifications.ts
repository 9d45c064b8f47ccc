import { ChangeNotice, type ChangeFeed } from '@heliograph/database';
import type { Pool } from 'pg';
import { isQuiet, queryQuietly } from './quiet-query';

const OUTBOX = 'messaging.outbox';

/**
 * Notifies its listeners of possible new events in the outbox: after this process has used the database, and when a process without
 * a relay sends NOTIFY.
 */
export class OutboxNotifications {
  private readonly listeners = new Set<() => void>();
  private readonly notice: ChangeNotice;
  private readonly onRelease = (_error: unknown, client: object): void => {
    if (isQuiet(client)) return;
    if (this.listeners.size > 0) for (const listener of this.listeners) listener();
    else if (this.notifiesOthers) this.notice.notify();
  };

  /** `notifiesOthers`: whether to notify other processes, because this process has no relay. */
  constructor(
    private readonly pool: Pool,
    private readonly feed: ChangeFeed,
    private readonly notifiesOthers: boolean,
  ) {
    this.notice = new ChangeNotice((text, values) => queryQuietly(pool, text, values), OUTBOX);
    pool.on('release', this.onRelease);
    if (notifiesOthers) return;
    feed.subscribe((change) => {
      if (change === 'unknown' || change.table === OUTBOX) for (const listener of this.listeners) listener();
    });
  }

  /** False if notifications may be missed, so that the outbox must be polled often. */
  get areReliable(): boolean {
    return this.feed.live;
  }

  /** Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  stop(): void {
    this.notice.stop();
    this.pool.off('release', this.onRelease);
  }
}
