import type { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';
import { CommitPools } from './commit-pools';
import { GroupCommit, type GroupCommitOptions } from './group-commit';
import { inOrder } from './in-order';

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export interface LanedGroupCommitOptions<T, R> extends Omit<GroupCommitOptions<T, R>, 'onFlush'> {
  /** Number of group commits that run concurrently. */
  lanes: number;
  /** A UUIDv7, such as the id of a workspace, whose items may wait for the same row locks. */
  laneOf: (item: T) => string;
  /** Required, so that no caller forgets that an organization can have many lanes. */
  ownerOf: (item: T) => string;
  /** A UUIDv7. Items with the same id use the same group commit. Default: the lane. */
  spreadBy?: (item: T) => string;
  /** A histogram of the items per commit. */
  metric?: { name: string; help: string; registry: Registry };
}

/** Several concurrent group commits. The id of an item determines its lane. */
export class LanedGroupCommit<T, R> {
  private readonly lanes: GroupCommit<T, R>[];
  private readonly spreadBy: (item: T) => string;

  constructor({ lanes, laneOf, spreadBy = laneOf, metric, ...options }: LanedGroupCommitOptions<T, R>) {
    if (lanes < 1) throw new RangeError('A laned group commit needs at least one lane.');
    const sizes =
      metric &&
      new Histogram({ name: metric.name, help: metric.help, buckets: BATCH_SIZES, registers: [metric.registry] });
    this.spreadBy = spreadBy;
    this.lanes = Array.from(
      { length: lanes },
      () => new GroupCommit<T, R>({ ...options, laneOf, onFlush: (size) => sizes?.observe(size) }),
    );
  }

  /** Resolves after the commit. Rejects like `GroupCommit.submit()`. */
  submit(item: T): Promise<R> {
    // The last digits of a UUIDv7 are random.
    const index = Number.parseInt(this.spreadBy(item).slice(-6), 16) % this.lanes.length;
    const lane = this.lanes[index];
    if (!lane) throw new TypeError(`The lane of an item must be a UUID, not '${this.spreadBy(item)}'.`);
    return lane.submit(item);
  }

  /** Resolves when all lanes are idle. */
  async drain(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.drain()));
  }
}

/**
 * Returns the `flush` of a group commit that calls one SQL function with all rows. The function takes a JSON array of
 * rows with `ord` and returns one row with the same `ord` for each.
 * @param statement `name` of the prepared statement; `text` with the array as its only parameter
 * @param encode returns a row as a JSON object with the field `ord`, the index of the row in the batch
 */
export function flushRows<T extends object, R extends object>(
  pool: Pool | CommitPools,
  statement: { name: string; text: string },
  encode: (row: T, ord: number) => string = (row, ord) => JSON.stringify({ ord, ...row }),
): (rows: T[], waitsForLocks?: boolean) => Promise<R[]> {
  return async (rows, waitsForLocks = true) => {
    const database = pool instanceof CommitPools ? pool.of(waitsForLocks) : pool;
    const answer = await database.query<R & { ord: number }>({
      ...statement,
      values: [`[${rows.map(encode).join(',')}]`],
    });
    return inOrder(rows.length, answer.rows);
  };
}
