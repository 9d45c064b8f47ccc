import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createLogger } from '@heliograph/service-kit';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { contactsEntities, contactsMigrations } from '../migration-set';
import { ImportRunner } from './import-runner';
import { ImportsRepository } from './imports.repository';

describe('an import', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pool: Pool;
  let imports: ImportsRepository;
  let runner: ImportRunner;
  let organizationId: string;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations, contactsMigrations]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
    dataSource = await createDataSource(settings, 'contacts', contactsEntities).initialize();
    pool = poolOf(dataSource);
    imports = new ImportsRepository(pool);
    runner = new ImportRunner(imports, dataSource, pool, {}, createLogger('spec', 'silent'));
  });
  beforeEach(async () => {
    organizationId = newId();
    await pool.query('DELETE FROM contacts.imports');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const queued = async (content: string) => {
    const id = await imports.begin(organizationId, 'json');
    await imports.addChunk(id, 0, Buffer.from(content));
    await dataSource.transaction((transaction) => imports.enqueue(transaction, id, {}));
    return id;
  };
  const attempts = async (count: number) => {
    for (let attempt = 0; attempt < count; attempt++) {
      await runner.runNext(new AbortController().signal);
      await pool.query('UPDATE contacts.imports SET lease_until = NULL');
    }
  };
  const stored = async (id: string) => imports.find(organizationId, id);
  const failing = async (sqlState: string) => {
    await pool.query(`
      CREATE FUNCTION contacts.fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'fails' USING ERRCODE = '${sqlState}'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON contacts.import_errors EXECUTE FUNCTION contacts.fail()`);
    return () => pool.query('DROP TRIGGER fail ON contacts.import_errors; DROP FUNCTION contacts.fail()');
  };

  it('fails after five attempts that an error interrupted', async () => {
    const id = await queued('{"email":"ann@example.com"}\nnot JSON\n');
    await attempts(4);
    expect(await stored(id)).toMatchObject({ status: 'running', error: null });
    await attempts(1);
    expect(await stored(id)).toMatchObject({
      ...{
        status: 'failed',
        error: expect.stringMatching(/^The import failed because of an internal error\./) as string,
      },
    });
    expect((await pool.query('SELECT FROM contacts.import_chunks')).rows).toEqual([]);
  });

  it('counts only the errors since the last progress', async () => {
    const id = await queued('{"email":"ann@example.com"}\n{"email":5}\n');
    const repair = await failing('P0001');
    await attempts(4);
    await repair();
    await attempts(1);
    expect(await stored(id)).toMatchObject({ status: 'completed', created: 1, invalid: 1 });
    const { rows } = await pool.query('SELECT failures FROM contacts.imports WHERE id = $1', [id]);
    expect(rows).toEqual([{ failures: 0 }]);
  });

  it('does not fail because of an outage', async () => {
    const id = await queued('{"email":5}\n');
    const repair = await failing('53300');
    await attempts(7);
    expect(await stored(id)).toMatchObject({ status: 'running', error: null });
    await repair();
    await attempts(1);
    expect(await stored(id)).toMatchObject({ status: 'completed', invalid: 1 });
  });

  it('stores errors whose text PostgreSQL does not accept', async () => {
    const id = await queued('{}\n');
    const counts = { created: 0, updated: 0, skipped: 0, invalid: 1 };
    await dataSource.transaction((transaction) =>
      imports.advance(transaction, id, counts, [{ row: 1, field: 'a\0', message: 'a\ud83d' }], 1_000),
    );
    expect(await imports.errors(id, 10)).toEqual([{ row: 1, field: 'a\ufffd', message: 'a\ufffd' }]);
  });
});
