import { firstIdOf, newId } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { auditMigrations } from './migration-set';
import { deleteEntriesBefore } from './retention';

const DAY_MS = 86_400_000;

describe('the retention of the audit log', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase([auditMigrations]);
    pool = new Pool({ connectionString: database.url });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('deletes all entries before a time in batches, and no later entries', async () => {
    const prefix = firstIdOf(new Date(Date.now() - 31 * DAY_MS)).slice(0, 24);
    const columns = 'actor_kind, actor_name, action, target_type, target_id';
    const values = `'user', 'Ann', 'bot.created', 'bot', 'x'`;
    await pool.query(
      `INSERT INTO audit.entries (id, ${columns})
       SELECT ($1 || lpad(to_hex(n), 12, '0'))::uuid, ${values} FROM generate_series(1, 4500) AS n`,
      [prefix],
    );
    const recent = newId();
    await pool.query(`INSERT INTO audit.entries (id, ${columns}) VALUES ($1, ${values})`, [recent]);
    await deleteEntriesBefore(pool, new Date(Date.now() - 30 * DAY_MS), new AbortController().signal);
    expect((await pool.query('SELECT id FROM audit.entries')).rows).toEqual([{ id: recent }]);
  });
});
