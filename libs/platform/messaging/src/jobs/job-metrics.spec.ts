import { createTestDatabase, unique, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { messagingMigrations } from '../migration-set';
import { registerJobMetrics } from './job-metrics';
import { WaitingJobs } from './waiting-jobs.fixture';

describe('the metrics of waiting jobs', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    pool = new Pool({ connectionString: database.url, max: 2 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('counts the jobs by queue and kind, without the ids of organizations', async () => {
    const registry = new Registry();
    registerJobMetrics(registry, pool);
    const queue = `spec.${unique()}`;
    const jobs = new WaitingJobs(database, queue);
    await jobs.add({ organization: 'a', count: 3 });
    await jobs.add({ organization: 'b', kind: 'campaign', count: 2 });
    await database.query(`UPDATE messaging.outbox SET available_at = now() - interval '90 seconds' WHERE kind = 3`);
    const text = await registry.metrics();
    expect(text).toContain(`jobs_waiting{queue="${queue}",kind="single"} 3`);
    expect(text).toContain(`jobs_waiting{queue="${queue}",kind="campaign"} 2`);
    expect(
      Number(new RegExp(`jobs_oldest_seconds{queue="${queue}",kind="campaign"} (.*)`).exec(text)?.[1]),
    ).toBeGreaterThan(89);
    await database.query('DELETE FROM messaging.outbox');
    expect(await registry.metrics()).not.toContain('jobs_waiting{');
  });
});
