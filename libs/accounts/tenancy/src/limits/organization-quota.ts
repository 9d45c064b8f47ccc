import type { Pool } from 'pg';
import { countSql, limitReached, type LimitedKind } from './limited-kind';

/** Age at which a count is read again, so that deleted objects free capacity. */
const REREAD_MS = 10_000;
const MAX_ORGANIZATIONS = 10_000;

interface Count {
  readAt: number;
  count: Promise<number>;
  /** Number of objects reserved since the count was read. */
  reserved: number;
}

/**
 * Limits the number of objects per organization if an exact count per creation would be too expensive. Each process
 * counts at most every 10 seconds and adds the objects that it creates in between. Objects that other processes create
 * in this time can exceed the limit.
 */
export class OrganizationQuota {
  private readonly counts = new Map<string, Count>();

  /** `most`: 0 for no limit. */
  constructor(
    private readonly pool: Pool,
    private readonly kind: LimitedKind,
    private readonly most: number,
  ) {}

  /** Throws LIMIT_REACHED. */
  reserve(organizationId: string, added: number = 1): Promise<void> {
    return this.check(organizationId, added, added);
  }

  /** Throws LIMIT_REACHED like `reserve`, but reserves nothing. */
  assertAvailable(organizationId: string, added: number = 1): Promise<void> {
    return this.check(organizationId, added, 0);
  }

  private async check(organizationId: string, added: number, reserved: number): Promise<void> {
    if (this.most === 0) return;
    const known = this.counts.get(organizationId);
    const current = known && Date.now() - known.readAt < REREAD_MS ? known : this.read(organizationId);
    const count = await current.count;
    if (count + current.reserved + added > this.most) throw limitReached(this.kind.setting, this.most);
    current.reserved += reserved;
  }

  private read(organizationId: string): Count {
    if (this.counts.size >= MAX_ORGANIZATIONS) this.counts.clear();
    const count = this.pool
      .query<{ count: number }>(countSql(this.kind), [organizationId, this.most])
      .then(({ rows }) => rows[0]?.count ?? 0);
    // A failed count is discarded, so that the next call reads it again.
    count.catch(() => this.counts.delete(organizationId));
    const current = { readAt: Date.now(), count, reserved: 0 };
    this.counts.set(organizationId, current);
    return current;
  }
}
