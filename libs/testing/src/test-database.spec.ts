import type { MigrationSet } from '@heliograph/database';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { dropAbandoned } from './database-owner';
import { testServers } from './servers.config';
import { unique } from './tenant-factory';
import { createTestDatabase, dropTemplate, templateName, type TestDatabase } from './test-database';
import { until } from './until';

/** Tables of which one has a unique comment, so that no template of them exists. */
function newSchema(column: string): MigrationSet {
  const comment = unique();
  class Things1700000000000 {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE spec.things (${column} integer, id serial)`);
      await runner.query('CREATE TABLE spec.seeded AS SELECT 1 AS n');
      await runner.query(`CREATE FUNCTION spec.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`);
      await runner.query(
        'CREATE TRIGGER at_insert BEFORE INSERT ON spec.things FOR EACH ROW EXECUTE FUNCTION spec.nothing()',
      );
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
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'spec' AND table_name = 'things'
       ORDER BY ordinal_position`,
    );
    return columns.map(({ name }) => name);
  };

  const exists = async (name: string): Promise<boolean> =>
    (await admin.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount === 1;

  it('has the schemas when several processes request them first at the same time', async () => {
    const schema = schemaWith('a');
    const made = await Promise.all(Array.from({ length: 6 }, () => create(schema)));
    expect(await Promise.all(made.map(columnsOf))).toEqual(made.map(() => ['a', 'id']));
  });

  it('has the current migrations even if their names are unchanged', async () => {
    expect(await columnsOf(await create(schemaWith('a')))).toEqual(['a', 'id']);
    expect(await columnsOf(await create(schemaWith('b')))).toEqual(['b', 'id']);
  });

  it('is not copied from a template of another day, which is dropped when a new one is created', async () => {
    const old = `test_template_20000101_${unique()}`;
    await admin.query(`CREATE DATABASE ${old} IS_TEMPLATE true`);
    await create(schemaWith('a'));
    expect(await exists(old)).toBe(false);
  });

  it('is reused without the rows that a test has added, and with unused sequences', async () => {
    const schema = schemaWith('a');
    const first = await create(schema);
    await first.query('INSERT INTO spec.things (a) SELECT generate_series(1, 100)');
    await first.drop();
    databases = [];
    const second = await until('the database is reused', async () => {
      const database = await create(schema);
      return database.url === first.url && database;
    });
    expect(await second.query('INSERT INTO spec.things (a) VALUES (7) RETURNING *')).toEqual([{ a: 7, id: 1 }]);
    expect(await second.query('SELECT * FROM spec.things')).toHaveLength(1);
    expect(await second.query('SELECT * FROM spec.seeded')).toEqual([{ n: 1 }]);
  });

  it('is dropped by the next process if its own process was killed', async () => {
    const used = new URL((await create(schemaWith('a'))).url).pathname.slice(1);
    const abandoned = `test_${unique().slice(0, 8)}_00000000`;
    await admin.query(`CREATE DATABASE ${abandoned}`);
    await dropAbandoned(admin);
    expect([await exists(abandoned), await exists(used)]).toEqual([false, true]);
  });

  it.each([
    ['a new column', 'ALTER TABLE spec.things ADD COLUMN more integer'],
    ['a disabled trigger', 'ALTER TABLE spec.things DISABLE TRIGGER at_insert'],
    [
      'another function',
      `CREATE OR REPLACE FUNCTION spec.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    ],
    ['another initial row', 'UPDATE spec.seeded SET n = 2'],
    ['a deleted initial row', 'DELETE FROM spec.seeded'],
    ['statistics', 'ANALYZE spec.seeded'],
    ['many rows', `INSERT INTO spec.things (a) SELECT generate_series(1, 150000)`],
  ])('is dropped after a test if it has %s', async (_name, statement) => {
    const database = await create(schemaWith('a'));
    await database.query(statement);
    await database.drop();
    databases = [];
    await until('the database is dropped', async () => !(await exists(new URL(database.url).pathname.slice(1))));
  });
});
