import { LRUCache } from 'lru-cache';
import type { Change, ChangeFeed } from './change-feed';

const LIVE_TTL_MS = 30_000;
/** Without the feed nobody tells of changes, so an entry may be trusted for a moment only. */
const BLIND_TTL_MS = 1_000;

interface Entry<V> {
  value: Promise<V>;
  organizationId: string | null;
  readAt: number;
}

export interface CachedLookupOptions<V> {
  /** `schema.table` names whose changes make entries stale. */
  tables: string[];
  load: (key: string) => Promise<V>;
  /** Which organization's changes concern an entry; null means any. */
  organizationOf?: (key: string, value: V) => string | null;
  maxEntries?: number;
}

/**
 * Remembers look-ups in process, at most 30 seconds, and forgets them as soon as the change feed tells of a write.
 * Concurrent misses of one key share one load; a failed load is not remembered.
 */
export class CachedLookup<V> {
  private readonly entries: LRUCache<string, Entry<V>>;
  private readonly tables: Set<string>;
  /** Counts forgettings, so that a load which began before one is not kept after it. */
  private generation = 0;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly options: CachedLookupOptions<V>,
  ) {
    this.entries = new LRUCache({ max: options.maxEntries ?? 50_000 });
    this.tables = new Set(options.tables);
    feed.subscribe((change) => this.forget(change));
  }

  get(key: string): Promise<V> {
    const entry = this.entries.get(key);
    const ttl = this.feed.live ? LIVE_TTL_MS : BLIND_TTL_MS;
    if (entry && Date.now() - entry.readAt < ttl) return entry.value;
    return this.read(key);
  }

  private read(key: string): Promise<V> {
    const { generation } = this;
    const value = this.options.load(key);
    const entry: Entry<V> = { value, organizationId: null, readAt: Date.now() };
    this.entries.set(key, entry);
    const drop = (): void => {
      if (this.entries.peek(key) === entry) this.entries.delete(key);
    };
    value.then(
      (loaded) => {
        entry.organizationId = this.options.organizationOf?.(key, loaded) ?? null;
        if (generation !== this.generation) drop();
      },
      () => drop(),
    );
    return value;
  }

  private forget(change: Change | 'unknown'): void {
    if (change !== 'unknown' && !this.tables.has(change.table)) return;
    this.generation++;
    if (change === 'unknown' || change.organizationId === null) {
      this.entries.clear();
      return;
    }
    for (const [key, entry] of this.entries.entries()) {
      if (entry.organizationId === null || entry.organizationId === change.organizationId) this.entries.delete(key);
    }
  }
}
