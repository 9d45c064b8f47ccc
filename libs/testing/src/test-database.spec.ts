import type { MigrationSet } from '@heliograph/database';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { testServers } from './servers.config';
import { unique } from './tenant-factory';
import { createTestDatabase, dropTemplate, templateName, type TestDatabase } from './test-database';

/** One table with a unique comment, so that no template of it exists. */
function newSchema(column: string): MigrationSet {
  const comment = unique();
  class Things1700000000000 {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE spec.things (${column} integer)`);
      await runner.query(`COMMENT ON TABLE spec.things IS '${comment}'`);
    }
    async down(): Promise<void> {}
  }
  return { schema: 'spec', migrations: [Things1700000000000] };
}

describe('a test database', () => {
  let admin: Client;
  let schemas: MigrationSet[];
  let databases: TestDatabase[];

  beforeAll(async () => {
    admin = new Client({ connectionString: testServers.databaseUrl });
    await admin.connect();
  });
  beforeEach(() => {
    schemas = [];
    databases = [];
  });
  afterEach(async () => {
    for (const database of databases) await database.drop();
    for (const schema of schemas) await dropTemplate(admin, await templateName([schema]));
  });
  afterAll(() => admin.end());

  const schemaWith = (column: string): MigrationSet => {
    const schema = newSchema(column);
    schemas.push(schema);
    return schema;
  };
  const create = async (schema: MigrationSet): Promise<TestDatabase> => {
    const database = await createTestDatabase([schema]);
    databases.push(database);
    return database;
  };
  const columnsOf = async (database: TestDatabase): Promise<string[]> => {
    const columns = await database.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'spec' AND table_name = 'things'`,
    );
    return columns.map(({ name }) => name);
  };

  it('has the schemas when several processes request them first at the same time', async () => {
    const schema = schemaWith('a');
    const made = await Promise.all(Array.from({ length: 6 }, () => create(schema)));
    expect(await Promise.all(made.map(columnsOf))).toEqual(made.map(() => ['a']));
  });

  it('has the current migrations even if their names are unchanged', async () => {
    expect(await columnsOf(await create(schemaWith('a')))).toEqual(['a']);
    expect(await columnsOf(await create(schemaWith('b')))).toEqual(['b']);
  });

  it('is not copied from a template of another day, which is dropped when a new one is created', async () => {
    const old = `test_template_20000101_${unique()}`;
    await admin.query(`CREATE DATABASE ${old} IS_TEMPLATE true`);
    await create(schemaWith('a'));
    expect((await admin.query('SELECT FROM pg_database WHERE datname = $1', [old])).rowCount).toBe(0);
  });
});
