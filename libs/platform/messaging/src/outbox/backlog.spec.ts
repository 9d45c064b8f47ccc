import { newId } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { Backlog } from './backlog';
import { messagingMigrations } from '../migration-set';

describe('Backlog', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    pool = new Pool({ connectionString: database.url, max: 1 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(() => database.query('DELETE FROM messaging.outbox'));

  const add = (events: number, availableAt: string) =>
    database.query(
      `INSERT INTO messaging.outbox (id, type, payload, available_at)
       SELECT gen_random_uuid(), 'job.done', '{}', ${availableAt} FROM generate_series(1, $1)`,
      [events],
    );

  it('rejects new events while more events are due than the limit', async () => {
    const backlog = new Backlog(pool, 2, { foundNoneAt: -Infinity });
    await add(2, 'now()');
    await add(5, `now() + interval '1 hour'`);
    await backlog.count();
    expect(backlog.size).toBe(2);
    expect(() => backlog.assertRoom(null)).not.toThrow();
    await add(3, 'now()');
    await backlog.count();
    expect(backlog.size).toBe(3);
    expect(() => backlog.assertRoom(null)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  });

  it('rejects only the organizations with more than an equal share of the jobs', async () => {
    const backlog = new Backlog(pool, 10, { foundNoneAt: -Infinity });
    const a = newId();
    const b = newId();
    const addJobs = (organizationId: string, count: number) =>
      database.query(
        `INSERT INTO messaging.outbox (id, type, payload, job_queue, kind, lane, in_lane)
         SELECT gen_random_uuid(), 'job.due', '{}', 'sms-api.send', 1, $1, true FROM generate_series(1, $2::integer)`,
        [organizationId, count],
      );
    await addJobs(a, 9);
    await addJobs(b, 1);
    await backlog.count();
    expect(() => backlog.assertRoom(a)).not.toThrow();
    await addJobs(a, 1);
    await backlog.count();
    expect(backlog.size).toBe(11);
    expect(() => backlog.assertRoom(a)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    expect(() => backlog.assertRoom(b)).not.toThrow();
    expect(() => backlog.assertRoom(null)).not.toThrow();
    await database.query('DELETE FROM messaging.outbox');
    await backlog.count();
    expect(() => backlog.assertRoom(a)).not.toThrow();
  });

  it('uses a recent check of the relay instead of a query', async () => {
    await add(3, 'now()');
    const relay = { foundNoneAt: -Infinity };
    const backlog = new Backlog(pool, 2, relay);
    await backlog.count();
    expect(backlog.size).toBe(3);
    relay.foundNoneAt = performance.now();
    await backlog.count();
    expect(backlog.size).toBe(0);
    relay.foundNoneAt = performance.now() - 2_001;
    await backlog.count();
    expect(backlog.size).toBe(3);
  });
});
