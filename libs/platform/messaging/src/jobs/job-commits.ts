import type { JobLane } from '@heliograph/contracts';
import { GroupCommit, type CommitPools } from '@heliograph/database';
import type { Pool } from 'pg';

/**
 * The group commits of one step of jobs, such as their claims. Each batch takes the jobs of the organizations in turn. Single jobs have
 * batches of their own, so that they do not wait for the end of a large batch. An organization whose row somebody else
 * has locked is written apart.
 */
export class JobCommits<T extends { lane: JobLane }, R> {
  private readonly single: GroupCommit<T, R>;
  private readonly others: GroupCommit<T, R>;

  /** @param write writes all items in one transaction, and returns the results in their order */
  constructor(pools: CommitPools, write: (database: Pool, items: T[]) => Promise<R[]>) {
    const create = (): GroupCommit<T, R> =>
      new GroupCommit({
        laneOf: ({ lane }) => lane.organizationId ?? '',
        flush: (items, waitsForLocks) => write(pools.of(waitsForLocks), items),
        maxQueue: Infinity,
      });
    this.single = create();
    this.others = create();
  }

  /** Resolves after the commit. */
  submit(item: T): Promise<R> {
    return (item.lane.kind === 'single' ? this.single : this.others).submit(item);
  }

  /** Resolves when no item is queued or in flight. */
  async drain(): Promise<void> {
    await this.single.drain();
    await this.others.drain();
  }
}
