import { createTestDatabase, until, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import { createPool } from '../data-source';
import { databaseConfigSchema } from '../database.config';
import { CommitPools, HASTY_COMMITS } from './commit-pools';
import { GroupCommit } from './group-commit';

/** A flush that completes when the test resolves it. */
function heldFlush() {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  return {
    batches,
    release: () => releases.shift()?.(),
    flush: async (items: number[]): Promise<number[]> => {
      batches.push(items);
      await new Promise<void>((resolve) => releases.push(resolve));
      return items.map((item) => item * 10);
    },
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(`SQLSTATE ${code}`), { code });
}

describe('group commit', () => {
  it('flushes immediately when idle, and batches items that arrive during a flush', async () => {
    const held = heldFlush();
    const lane = new GroupCommit<number, number>({ flush: held.flush });
    const first = lane.submit(1);
    await until('the first batch is written', () => held.batches.length === 1);
    const others = [2, 3, 4].map((item) => lane.submit(item));
    expect(held.batches).toEqual([[1]]);
    expect(lane.depth).toBe(3);
    held.release();
    expect(await first).toBe(10);
    await until('the remaining items are written', () => held.batches.length === 2);
    held.release();
    expect(await Promise.all(others)).toEqual([20, 30, 40]);
    expect(held.batches).toEqual([[1], [2, 3, 4]]);
  });

  it('flushes the items of one event-loop turn as one batch, up to the maximum size', async () => {
    const batches: number[][] = [];
    const lane = new GroupCommit<number, number>({
      maxBatch: 3,
      flush: (items) => {
        batches.push(items);
        return Promise.resolve(items);
      },
    });
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => lane.submit(item)));
    expect(answers).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('reports the size of each batch', async () => {
    const sizes: number[] = [];
    const lane = new GroupCommit<number, number>({
      flush: (items) => Promise.resolve(items),
      onFlush: (size) => sizes.push(size),
    });
    await Promise.all([lane.submit(1), lane.submit(2)]);
    expect(sizes).toEqual([2]);
  });

  it.each(['40001', '40P01'])('retries a batch once after SQLSTATE %s', async (code) => {
    let flushes = 0;
    const lane = new GroupCommit<number, number>({
      flush: (items) => (++flushes === 1 ? Promise.reject(failure(code)) : Promise.resolve(items)),
    });
    expect(await Promise.all([lane.submit(1), lane.submit(2)])).toEqual([1, 2]);
    expect(flushes).toBe(2);
  });

  it('retries only once', async () => {
    let flushes = 0;
    const lane = new GroupCommit<number, number>({
      flush: () => {
        flushes++;
        return Promise.reject(failure('40P01'));
      },
    });
    const answers = await Promise.allSettled([lane.submit(1), lane.submit(2)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(flushes).toBe(2);
  });

  it('does not retry a batch whose connection was lost, because it may have been committed', async () => {
    let flushes = 0;
    const lane = new GroupCommit<number, number>({
      flush: () => {
        flushes++;
        return Promise.reject(failure('ECONNRESET'));
      },
    });
    const answers = await Promise.allSettled([1, 2, 3].map((item) => lane.submit(item)));
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(flushes).toBe(1);
  });

  it('rejects items with 503 and Retry-After when the queue is full', async () => {
    const held = heldFlush();
    const lane = new GroupCommit<number, number>({ flush: held.flush, maxQueue: 2 });
    const first = lane.submit(1);
    await until('the first batch is written', () => held.batches.length === 1);
    const waiting = [lane.submit(2), lane.submit(3)];
    await expect(lane.submit(4)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) as string },
    });
    held.release();
    await first;
    await until('the remaining items are written', () => held.batches.length === 2);
    held.release();
    await Promise.all(waiting);
    expect(held.batches.flat()).not.toContain(4);
  });

  it('drain() resolves when no item is queued or in flight', async () => {
    const held = heldFlush();
    const lane = new GroupCommit<number, number>({ flush: held.flush });
    await lane.drain();
    const answers = [lane.submit(1)];
    await until('the first batch is written', () => held.batches.length === 1);
    answers.push(lane.submit(2));
    let drained = false;
    const drain = lane.drain().then(() => (drained = true));
    held.release();
    await until('the second batch is written', () => held.batches.length === 2);
    expect(drained).toBe(false);
    held.release();
    await drain;
    expect(await Promise.all(answers)).toEqual([10, 20]);
  });

  it('rejects items for which the flush returned no result', async () => {
    const lane = new GroupCommit<number, number>({ flush: () => Promise.resolve([1]) });
    const [answered, forgotten] = await Promise.allSettled([lane.submit(1), lane.submit(2)]);
    expect([answered?.status, forgotten?.status]).toEqual(['fulfilled', 'rejected']);
  });

  it('takes the items of the lanes in turn, so that a lane with many items does not delay another', async () => {
    const held = heldFlush();
    const commit = new GroupCommit<number, number>({
      flush: held.flush,
      maxBatch: 3,
      laneOf: (n) => (n < 100 ? 'busy' : 'other'),
    });
    const answers = [commit.submit(1)];
    await until('the first batch is written', () => held.batches.length === 1);
    answers.push(...[2, 3, 4, 5].map((n) => commit.submit(n)), commit.submit(100));
    for (const written of [2, 3]) {
      held.release();
      await until('the next batch is written', () => held.batches.length === written);
    }
    held.release();
    await Promise.all(answers);
    expect(held.batches).toEqual([[1], [2, 100, 3], [4, 5]]);
  });

  it('gives an owner with many lanes no more turns than one with a single lane', async () => {
    const held = heldFlush();
    const lane = new GroupCommit<number, number>({
      maxBatch: 2,
      flush: held.flush,
      laneOf: (n) => `lane ${n}`,
      ownerOf: (n) => (n < 100 ? 'large' : 'small'),
    });
    const items = [1, 2, 3, 4, 5, 6, 100, 101];
    const answers = items.map((item) => lane.submit(item));
    for (let batch = 1; batch <= 4; batch++) {
      await until(`batch ${batch} is written`, () => held.batches.length === batch);
      held.release();
    }
    await Promise.all(answers);
    expect(held.batches).toEqual([
      [1, 100],
      [2, 101],
      [3, 4],
      [5, 6],
    ]);
  });

  it('refuses the items of a full lane with 429 and Retry-After, and accepts those of other lanes', async () => {
    const held = heldFlush();
    const refused: object[] = [];
    const commit = new GroupCommit<number, number>({
      flush: held.flush,
      maxQueuePerLane: 1,
      laneOf: (n) => (n < 100 ? 'busy' : 'other'),
      observed: { by: { countRefusal: (lane) => refused.push(lane) }, stage: 'test' },
    });
    const answers = [commit.submit(1)];
    await until('the first batch is written', () => held.batches.length === 1);
    answers.push(commit.submit(2));
    await expect(commit.submit(3)).rejects.toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } });
    answers.push(commit.submit(100));
    expect(refused).toEqual([{ stage: 'test', kind: 'commit', owner: 'busy' }]);
    held.release();
    await until('the next batch is written', () => held.batches.length === 2);
    held.release();
    expect(await Promise.all(answers)).toEqual([10, 20, 1_000]);
  });

  describe('on a real table', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase([]);
      await database.query('CREATE TABLE numbers (n integer PRIMARY KEY CHECK (n % 13 <> 0))');
    });
    afterAll(() => database.drop());

    it('rejects only the invalid rows, at any position, and commits all others once', async () => {
      const lane = new GroupCommit<number, number>({
        flush: async (items) => {
          await database.query('INSERT INTO numbers SELECT unnest($1::int[])', [items]);
          return items;
        },
      });
      const items = Array.from({ length: 100 }, (_, i) => i + 1);
      const answers = await Promise.allSettled(items.map((item) => lane.submit(item)));
      const rejected = items.filter((_, i) => answers[i]?.status === 'rejected');
      expect(rejected).toEqual([13, 26, 39, 52, 65, 78, 91]);
      for (const answer of answers) {
        if (answer.status === 'rejected') expect((answer.reason as { code: string }).code).toBe('23514');
      }
      const rows = await database.query<{ n: number }>('SELECT n FROM numbers ORDER BY n');
      expect(rows.map(({ n }) => n)).toEqual(items.filter((item) => item % 13 !== 0));
    });
  });

  describe('while somebody else locks the row of one lane', () => {
    let database: TestDatabase;
    let patient: Pool;
    let pools: CommitPools;
    let commit: GroupCommit<string, string>;
    beforeAll(async () => {
      database = await createTestDatabase([]);
      await database.query('CREATE TABLE accounts (name text PRIMARY KEY, charged integer NOT NULL DEFAULT 0)');
      await database.query(`INSERT INTO accounts SELECT chr(ascii('a') + n) FROM generate_series(0, 7) AS n`);
      const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_LOCK_TIMEOUT_MS: 400 });
      patient = createPool(config, 'patient');
      pools = new CommitPools(createPool(config, 'hasty', HASTY_COMMITS), patient);
      commit = new GroupCommit<string, string>({
        laneOf: (name) => name,
        flush: async (names, waitsForLocks) => {
          await pools.of(waitsForLocks).query(
            `WITH locked AS (SELECT name FROM accounts WHERE name = ANY($1) ORDER BY name FOR UPDATE)
               UPDATE accounts AS a SET charged = charged + n.times
               FROM (SELECT name, count(*) AS times FROM unnest($1::text[]) AS n (name) GROUP BY 1) AS n, locked
               WHERE a.name = n.name AND locked.name = a.name`,
            [names],
          );
          return names;
        },
      });
    });
    afterAll(async () => {
      await commit.drain();
      await pools.onApplicationShutdown();
      await patient.end();
      await database.drop();
    });

    const charged = async (): Promise<Record<string, number>> => {
      const rows = await database.query<{ name: string; charged: number }>('SELECT name, charged FROM accounts');
      return Object.fromEntries(rows.map((row) => [row.name, row.charged]));
    };

    it('writes the items of all other lanes, and rejects those of the lane after the lock time-out', async () => {
      const operator = await patient.connect();
      await operator.query(`BEGIN; UPDATE accounts SET charged = charged WHERE name = 'd'`);
      const settled: string[] = [];
      const submit = (name: string) =>
        commit.submit(name).then(
          () => settled.push(name),
          (error: { code?: string }) => settled.push(`${name} ${error.code}`),
        );
      // One batch; then a batch while the locked lane is known.
      await Promise.all(['a', 'b', 'c', 'd', 'd', 'e', 'f', 'g', 'h'].map(submit));
      expect(settled.slice(0, 7).sort()).toEqual(['a', 'b', 'c', 'e', 'f', 'g', 'h']);
      expect(settled.slice(7)).toEqual(['d 55P03', 'd 55P03']);
      settled.length = 0;
      await Promise.all(['d', 'a', 'h'].map(submit));
      expect(settled).toEqual(['a', 'h', 'd 55P03']);

      await operator.query('COMMIT');
      operator.release();
      await submit('d');
      await Promise.all(['d', 'a'].map(submit));
      expect(await charged()).toEqual({ a: 3, b: 1, c: 1, d: 2, e: 1, f: 1, g: 1, h: 2 });
    });

    it('writes the items of the lane when the lock is released in time', async () => {
      const before = await charged();
      const operator = await patient.connect();
      await operator.query(`BEGIN; UPDATE accounts SET charged = charged WHERE name = 'b'`);
      const late = commit.submit('b');
      await commit.submit('a');
      await operator.query('COMMIT');
      operator.release();
      await late;
      expect(await charged()).toEqual({ ...before, a: (before['a'] ?? 0) + 1, b: (before['b'] ?? 0) + 1 });
    });
  });
});
