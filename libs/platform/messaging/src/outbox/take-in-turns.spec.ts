import { newId } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool, type PoolClient } from 'pg';
import { messagingMigrations } from '../migration-set';

interface NewEvents {
  /** Null: events without an organization. */
  organization: string | null;
  count: number;
  /** When the first event is due; the others follow at intervals of a microsecond. */
  inSeconds?: number;
  /** The events are scheduled jobs of this queue. */
  jobQueue?: string;
}

interface Taken {
  name: string;
  served: string;
}

describe('the turns of organizations', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    pool = new Pool({ connectionString: database.url, max: 3 });
    await database.query(`INSERT INTO messaging.job_queues (queue) VALUES ('spec.jobs')`);
  });
  afterEach(() => database.query('TRUNCATE messaging.outbox'));
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** The events are named by their organization and their number: `a1`, `a2`, … */
  const add = ({ organization, count, inSeconds = -60, jobQueue }: NewEvents) =>
    database.query(
      `INSERT INTO messaging.outbox (id, type, payload, available_at, job_queue, kind, lane)
       SELECT gen_random_uuid(), $1::text || n, json_build_object('organizationId', $2::text),
         now() + $3 * interval '1 second' + n * interval '1 microsecond',
         $4, CASE WHEN $4::text IS NOT NULL THEN 1 END, CASE WHEN $4::text IS NOT NULL THEN $5::uuid END
       FROM generate_series(1, $6::integer) AS n`,
      [organization ?? '-', organization, inSeconds, jobQueue ?? null, newId(), count],
    );
  const take = async (most: number, after: string | null = null, on: Pool | PoolClient = pool): Promise<Taken[]> => {
    const { rows } = await on.query<Taken>(
      'SELECT type AS name, served FROM messaging.take_in_turns($1, $2) ORDER BY available_at, type',
      [most, after],
    );
    return rows;
  };
  const namesOf = (taken: readonly Taken[]) => taken.map(({ name }) => name);
  const countOf = (taken: readonly Taken[], organization: string) =>
    taken.filter(({ name }) => name.startsWith(organization)).length;

  it('takes the event of another organization in the first batch, however many wait', async () => {
    await add({ organization: 'a', count: 3_000, inSeconds: -600 });
    await add({ organization: 'b', count: 1 });
    const taken = await take(100);
    expect(countOf(taken, 'a')).toBe(99);
    expect(namesOf(taken)).toContain('b1');
    expect(namesOf(taken).slice(0, 3)).toEqual(['a1', 'a2', 'a3']);
  });

  it('takes events without an organization, and jobs that are due, in turns too', async () => {
    await add({ organization: 'a', count: 1_000, inSeconds: -600 });
    await add({ organization: null, count: 5 });
    await add({ organization: 'j', count: 5, jobQueue: 'spec.jobs' });
    const taken = await take(30);
    expect(['a', '-', 'j'].map((organization) => countOf(taken, organization))).toEqual([20, 5, 5]);
    const jobs = await database.query<{ type: string }>('SELECT type FROM messaging.outbox WHERE in_lane ORDER BY 1');
    expect(jobs.map(({ type }) => type)).toEqual(['j1', 'j2', 'j3', 'j4', 'j5']);
  });

  it('takes as many events of each organization, each from its oldest on', async () => {
    for (const organization of ['a', 'b', 'c']) await add({ organization, count: 1_000 });
    const taken = await take(30);
    for (const organization of ['a', 'b', 'c']) {
      const own = namesOf(taken).filter((name) => name.startsWith(organization));
      expect(own).toEqual(Array.from({ length: 10 }, (_, index) => `${organization}${index + 1}`));
    }
  });

  it('takes turns of more organizations than a batch contains', async () => {
    const organizations = Array.from({ length: 25 }, (_, index) => String.fromCharCode(97 + index));
    for (const organization of organizations) await add({ organization, count: 100 });
    let after: string | null = null;
    const served: string[] = [];
    for (let batch = 0; batch < 5; batch += 1) {
      const taken: Taken[] = await take(5, after);
      served.push(...namesOf(taken));
      after = taken[0]?.served ?? null;
    }
    expect(served.sort()).toEqual(organizations.map((organization) => `${organization}1`));
  });

  it('finds due events behind the future events of more organizations than a call examines', async () => {
    await add({ organization: 'a', count: 1_000, inSeconds: -600 });
    for (let index = 0; index < 60; index += 1) await add({ organization: newId(), count: 1, inSeconds: 3_600 });
    await add({ organization: 'b', count: 1 });
    let after: string | null = null;
    const served: string[] = [];
    for (let batch = 0; batch < 5; batch += 1) {
      const taken: Taken[] = await take(20, after);
      expect(taken).toHaveLength(20);
      served.push(...namesOf(taken));
      after = taken[0]?.served ?? null;
    }
    expect(served).toContain('b1');
    expect(served.filter((name) => !name.startsWith('a'))).toEqual(['b1']);
  });

  it('takes each event once, also with several relays at the same time', async () => {
    await add({ organization: 'a', count: 500 });
    await add({ organization: 'b', count: 500 });
    const relays = await Promise.all([pool.connect(), pool.connect()]);
    const names: string[] = [];
    try {
      for (let batch = 0; batch < 10; batch += 1) {
        for (const relay of relays) await relay.query('BEGIN');
        // The transaction of the first relay is open while the second one takes events.
        for (const relay of relays) names.push(...namesOf(await take(50, null, relay)));
        // One of them fails once: its events remain.
        const failed = batch === 0 ? names.splice(50, 50) : [];
        for (const relay of relays) await relay.query(failed.length > 0 && relay === relays[1] ? 'ROLLBACK' : 'COMMIT');
      }
      names.push(...namesOf(await take(1_000)));
    } finally {
      for (const relay of relays) relay.release();
    }
    expect(names).toHaveLength(1_000);
    expect(new Set(names).size).toBe(1_000);
  });

  it('reads only the events that it takes, however many wait', async () => {
    await add({ organization: 'a', count: 20_000 });
    await add({ organization: 'b', count: 20_000 });
    const read = async (): Promise<number> => {
      await database.query('SELECT pg_stat_force_next_flush()');
      const [row] = await database.query<{ read: number }>(
        `SELECT sum(idx_tup_read)::int AS read FROM pg_stat_user_indexes WHERE relname = 'outbox'`,
      );
      const [table] = await database.query<{ read: number }>(
        `SELECT seq_tup_read::int AS read FROM pg_stat_user_tables WHERE relname = 'outbox'`,
      );
      return (row?.read ?? 0) + (table?.read ?? 0);
    };
    const takeOnce = () => database.query('SELECT FROM messaging.take_in_turns(10, NULL)');
    await takeOnce();
    const before = await read();
    await takeOnce();
    expect((await read()) - before).toBeLessThan(200);
  });
});
