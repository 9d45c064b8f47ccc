import { LRUCache } from 'lru-cache';
import type { Change, ChangeFeed } from './change-feed';

const LIVE_TTL_MS = 30_000;
/** Without the change feed, changes are not noticed, so entries are valid for a short time only. */
const BLIND_TTL_MS = 1_000;

interface Entry<V> {
  value: Promise<V>;
  organizationId: string | null;
  readAt: number;
}

export interface CachedLookupOptions<V> {
  /** Tables (`schema.table`) whose changes invalidate entries. */
  tables: string[];
  load: (key: string) => Promise<V>;
  /** Returns the organization whose changes invalidate an entry; `null` if any change does. */
  organizationOf?: (key: string, value: V) => string | null;
  /**
   * Whether a loaded value is cached; by default, every value is. A value for which calls are refused should not be: a person may
   * have removed the reason a moment ago, before the change feed reports it.
   */
  isCached?: (value: V) => boolean;
  maxEntries?: number;
}

/**
 * An in-process cache of lookups. Entries are valid for at most 30 seconds and are removed when the change feed reports
 * a write. Concurrent misses of one key share one load. A failed load is not cached, nor a value that `isCached` excludes.
 */
export class CachedLookup<V> {
  private readonly entries: LRUCache<string, Entry<V>>;
  private readonly tables: Set<string>;
  /** Number of invalidations. The result of a load that began before an invalidation is not cached. */
  private generation = 0;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly options: CachedLookupOptions<V>,
  ) {
    // A limit of the size instead of the number of entries, for which the memory would be allocated at once.
    this.entries = new LRUCache({ maxSize: options.maxEntries ?? 50_000, sizeCalculation: () => 1 });
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
        const isCached = this.options.isCached?.(loaded) ?? true;
        if (!isCached || generation !== this.generation) drop();
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
