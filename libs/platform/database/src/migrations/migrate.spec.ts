import { createTestDatabase, until, type TestDatabase } from '@heliograph/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Client } from 'pg';
import { MIGRATION_LOCK } from './database-access';
import { migrate } from './migrate';
import type { MigrationSet } from './migration-set';

class Things1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE stock.things (id integer)');
    await runner.query('INSERT INTO stock.things VALUES (1)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE stock.things');
  }
}
class Colors1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stock.things ADD COLUMN color text');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stock.things DROP COLUMN color');
  }
}
class Broken1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('INSERT INTO stock.things VALUES (2)');
    await runner.query('SELECT nonsense');
  }
  async down(): Promise<void> {}
}

class Slow1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE stock.slow (id integer)');
    await runner.query('SELECT pg_sleep(600)');
  }
  async down(): Promise<void> {}
}

const first: MigrationSet = { schema: 'stock', migrations: [Things1700000000000] };
const both: MigrationSet = { schema: 'stock', migrations: [Things1700000000000, Colors1700000000001] };

describe('migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase([]);
  });
  afterEach(() => database.drop());

  const things = () => database.query<object>('SELECT * FROM stock.things');
  const ran = async () =>
    (await database.query<{ name: string }>('SELECT name FROM stock.migrations ORDER BY id')).map(({ name }) => name);

  it('run once when many processes start concurrently', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, [both])));
    expect(await things()).toEqual([{ id: 1, color: null }]);
    expect(await ran()).toEqual(['Things1700000000000', 'Colors1700000000001']);
  });

  it('do nothing when they run again', async () => {
    await migrate(database.url, [both]);
    await migrate(database.url, [both]);
    expect(await things()).toHaveLength(1);
  });

  it('fail with the name of an applied migration that was changed, and change nothing', async () => {
    await migrate(database.url, [first]);
    const Changed = {
      Things1700000000000: class implements MigrationInterface {
        async up(runner: QueryRunner): Promise<void> {
          await runner.query('CREATE TABLE stock.things (id bigint)');
          await runner.query('INSERT INTO stock.things VALUES (1)');
        }
        async down(): Promise<void> {}
      },
    }.Things1700000000000;
    const changed = { schema: 'stock', migrations: [Changed, Colors1700000000001] };
    await expect(migrate(database.url, [{ schema: 'other', migrations: [] }, changed])).rejects.toThrow(
      'stock.Things1700000000000: the migration was changed after it was applied to this database.',
    );
    expect(await ran()).toEqual(['Things1700000000000']);
    await migrate(database.url, [both]);
    expect(await things()).toEqual([{ id: 1, color: null }]);
  });

  it('record the checksums of migrations that an earlier release applied without them', async () => {
    await migrate(database.url, [first]);
    const checksums = () => database.query('SELECT name, checksum FROM stock.migration_checksums ORDER BY name');
    const recorded = await checksums();
    await database.query('DROP TABLE stock.migration_checksums');
    await migrate(database.url, [first]);
    expect(await checksums()).toEqual(recorded);
    await migrate(database.url, [both]);
    expect(await checksums()).toHaveLength(2);
  });

  it('migrate a database of any earlier version', async () => {
    await migrate(database.url, [first]);
    await migrate(database.url, [both]);
    expect(await things()).toEqual([{ id: 1, color: null }]);
  });

  it('leave the schema unchanged when an older release starts later', async () => {
    await migrate(database.url, [both]);
    await migrate(database.url, [first]);
    expect(await ran()).toHaveLength(2);
  });

  it('are rolled back on failure, and release the lock', async () => {
    const broken: MigrationSet = { schema: 'stock', migrations: [...both.migrations, Broken1700000000002] };
    await expect(migrate(database.url, [broken])).rejects.toThrow('nonsense');
    expect(await things()).toHaveLength(1);
    expect(await ran()).toHaveLength(2);
    await migrate(database.url, [both]);
  });

  it('roll back the one in progress and release the lock when they are stopped', async () => {
    const slow: MigrationSet = { schema: 'stock', migrations: [Things1700000000000, Slow1700000000003] };
    const stop = new AbortController();
    const running = migrate(database.url, [slow], { signal: stop.signal }).then(
      () => 'finished',
      () => 'stopped',
    );
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      const isSleeping = async (): Promise<boolean> => {
        const { rowCount } = await client.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(600)' AND pid <> pg_backend_pid()",
        );
        return rowCount === 1;
      };
      await until('the slow migration runs', isSleeping);
      stop.abort();
      expect(await running).toBe('stopped');
      await until('the statement has ended', async () => !(await isSleeping()));
      const { rows } = await client.query<{ kept: boolean; undone: boolean; unlocked: boolean }>(
        `SELECT to_regclass('stock.things') IS NOT NULL AS kept, to_regclass('stock.slow') IS NULL AS undone,
                pg_try_advisory_lock($1) AS unlocked`,
        [MIGRATION_LOCK],
      );
      expect(rows).toEqual([{ kept: true, undone: true, unlocked: true }]);
    } finally {
      await client.end();
    }
  });
});
