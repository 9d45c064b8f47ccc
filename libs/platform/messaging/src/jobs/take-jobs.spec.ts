import { createTestDatabase, unique, type TestDatabase } from '@heliograph/testing';
import { messagingMigrations } from '../migration-set';
import { nameOf, WaitingJobs } from './waiting-jobs.fixture';

const WEIGHTS = [4, 2, 1];

describe('the choice of jobs', () => {
  let database: TestDatabase;
  let queue: string;
  let jobs: WaitingJobs;

  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    queue = `spec.${unique()}`;
    jobs = new WaitingJobs(database, queue);
    await jobs.declare();
  });

  const take = async (most: number): Promise<string[]> => {
    const rows = await database.query<{ body: string }>(
      'SELECT body FROM messaging.take_jobs($1, $2, $3, NULL, false)',
      [queue, most, WEIGHTS],
    );
    return rows.map(({ body }) => nameOf(JSON.parse(body)));
  };
  const countOf = (names: string[], letter: string) => names.filter((name) => name.startsWith(letter)).length;

  it('takes the job of another organization after at most one job of each, whatever waits', async () => {
    await jobs.add({ organization: 'a', count: 3_000 });
    expect(await take(3)).toEqual(['a1', 'a2', 'a3']);
    await jobs.add({ organization: 'b', count: 1 });
    expect(await take(2)).toEqual(['b1', 'a4']);
    expect(await take(2)).toEqual(['a5', 'a6']);
  });

  it('serves the organizations in turn, each from its oldest job on', async () => {
    for (const organization of ['a', 'b', 'c']) await jobs.add({ organization, count: 10 });
    expect(await take(4)).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect(await take(2)).toEqual(['b2', 'c2']);
    expect(await take(6)).toEqual(['a3', 'b3', 'c3', 'a4', 'b4', 'c4']);
  });

  it('gives what an organization does not need to the others', async () => {
    await jobs.add({ organization: 'a', count: 20 });
    await jobs.add({ organization: 'b', count: 2 });
    const names = await take(12);
    expect([countOf(names, 'a'), countOf(names, 'b')]).toEqual([10, 2]);
    expect(await take(100)).toHaveLength(10);
    expect(await take(100)).toEqual([]);
  });

  it('gives what the lanes with few jobs do not use to the other lanes, one job each in turn', async () => {
    for (const organization of ['a', 'b']) await jobs.add({ organization, count: 1 });
    for (const organization of ['c', 'd']) await jobs.add({ organization, count: 3 });
    expect(await take(6)).toEqual(['a1', 'b1', 'c1', 'd1', 'c2', 'd2']);
  });

  it('shares the jobs by the weights of their kinds, and starves none', async () => {
    await jobs.add({ organization: 'a', kind: 'campaign', count: 100 });
    await jobs.add({ organization: 'b', kind: 'bulk', count: 100 });
    await jobs.add({ organization: 'c', kind: 'single', count: 100 });
    const names = await take(70);
    expect(['a', 'b', 'c'].map((letter) => countOf(names, letter))).toEqual([10, 20, 40]);
    expect(names[0]).toBe('c1');
    // The same shares result from single jobs.
    const single: string[] = [];
    for (let count = 0; count < 70; count += 1) single.push(...(await take(1)));
    expect(['a', 'b', 'c'].map((letter) => countOf(single, letter))).toEqual([10, 20, 40]);
    expect(single.findIndex((name) => name.startsWith('a'))).toBeLessThan(7);
  });

  it('takes a single job next, while jobs of all other kinds wait', async () => {
    await jobs.add({ organization: 'a', kind: 'campaign', count: 100 });
    await jobs.add({ organization: 'a', kind: 'bulk', count: 100 });
    for (let count = 0; count < 20; count += 1) await take(1);
    await jobs.add({ organization: 'b', kind: 'single', count: 1 });
    expect([...(await take(1)), ...(await take(1))]).toContain('b1');
  });

  it('takes jobs of more lanes than it needs in turns', async () => {
    const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
    for (const organization of letters) await jobs.add({ organization, count: 2 });
    const names = [...(await take(10)), ...(await take(10)), ...(await take(6))];
    expect(names.sort()).toEqual(letters.map((letter) => `${letter}1`));
    expect(await take(1_000)).toHaveLength(26);
  });

  it('reads only the jobs that it takes, however many wait', async () => {
    await jobs.add({ organization: 'a', count: 20_000 });
    await jobs.add({ organization: 'b', kind: 'campaign', count: 20_000 });
    const read = async (): Promise<number> => {
      await database.query('SELECT pg_stat_force_next_flush()');
      const [row] = await database.query<{ read: number }>(
        `SELECT idx_tup_read::int AS read FROM pg_stat_user_indexes WHERE indexrelname = 'outbox_lanes'`,
      );
      return row?.read ?? 0;
    };
    await take(10);
    const before = await read();
    await take(10);
    expect((await read()) - before).toBeLessThan(200);
  });
});
