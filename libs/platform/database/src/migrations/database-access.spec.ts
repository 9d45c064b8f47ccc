import { createTestDatabase, unique, type TestDatabase } from '@heliograph/testing';
import { Client, Pool } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createPool } from '../data-source';
import { MAINTAIN, READ, scramVerifier, WRITE, type DatabaseAccess } from './database-access';
import { databaseConfigSchema } from '../database.config';
import { migrate } from './migrate';
import { partitionsMigrations } from '../partitions/partitions-migrations';
import { maintainWeeklyPartitions } from '../partitions/weekly-partitions';

class Stock1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE stock.things (id integer)');
    await runner.query('CREATE TABLE stock.prices (id integer)');
    await runner.query('CREATE TABLE stock.secrets (id integer)');
    await runner.query('CREATE TABLE stock.people (id integer, name text, password text)');
    await runner.query('CREATE TABLE stock.sales (id uuid PRIMARY KEY) PARTITION BY RANGE (id)');
    await runner.query('CREATE SEQUENCE stock.numbers');
  }
  async down(): Promise<void> {}
}

const DENIED = '42501';

describe('row 7: the role of a service', () => {
  let database: TestDatabase;
  let role: string;
  let user: string;
  const clients: { end(): Promise<void> }[] = [];
  beforeEach(async () => {
    database = await createTestDatabase([]);
    role = `test_role_${unique()}`;
    user = `test_user_${unique()}`;
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    for (const name of new Set([role, user])) {
      const [found] = await database.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
      if (found) await database.query(`DROP OWNED BY ${name}`);
      if (found) await database.query(`DROP ROLE ${name}`);
    }
    await database.drop();
  });

  const apply = (access: Omit<DatabaseAccess, 'role'>, password?: string) =>
    migrate(database.url, [{ schema: 'stock', migrations: [Stock1700000000000] }, partitionsMigrations], {
      access: [{ role, ...access }],
      ...(password === undefined ? {} : { login: { user, password } }),
    });
  const pool = (): Pool => {
    const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_ROLE: role });
    const made = createPool(config, 'test');
    clients.push(made);
    return made;
  };
  const codeOf = (statement: Promise<unknown>) =>
    statement.then(
      () => 'done',
      ({ code }: { code?: string }) => code,
    );

  it('has only the listed privileges', async () => {
    await apply({ tables: { 'stock.things': WRITE, 'stock.prices': READ }, sequences: ['stock.numbers'] });
    const service = pool();
    await service.query(`INSERT INTO stock.things VALUES (nextval('stock.numbers'))`);
    await service.query('UPDATE stock.things SET id = 2');
    await service.query('SELECT * FROM stock.prices');
    expect(await codeOf(service.query('INSERT INTO stock.prices VALUES (1)'))).toBe(DENIED);
    expect(await codeOf(service.query('SELECT * FROM stock.secrets'))).toBe(DENIED);
    expect(await codeOf(service.query('TRUNCATE stock.things'))).toBe(DENIED);
    expect(await codeOf(service.query('CREATE TABLE stock.mine (id integer)'))).toBe(DENIED);
    expect(await codeOf(service.query('SELECT * FROM stock.migrations'))).toBe(DENIED);
  });

  it('loses privileges that a later release does not list', async () => {
    await apply({ tables: { 'stock.*': WRITE }, sequences: ['stock.numbers'] });
    await apply({ tables: { 'stock.things': READ } });
    const service = pool();
    await service.query('SELECT * FROM stock.things');
    expect(await codeOf(service.query('DELETE FROM stock.things'))).toBe(DENIED);
    expect(await codeOf(service.query('SELECT * FROM stock.prices'))).toBe(DENIED);
    expect(await codeOf(service.query(`SELECT nextval('stock.numbers')`))).toBe(DENIED);
  });

  it('reads only the listed columns of a table', async () => {
    await apply({ tables: { 'stock.people(id, name)': READ } });
    const service = pool();
    await service.query('SELECT id, name FROM stock.people WHERE id = 1');
    expect(await codeOf(service.query('SELECT * FROM stock.people'))).toBe(DENIED);
    await apply({ tables: { 'stock.people(id)': READ } });
    expect(await codeOf(service.query('SELECT name FROM stock.people'))).toBe(DENIED);
  });

  it('cannot list a table that does not exist', async () => {
    await expect(apply({ tables: { 'stock.thing': READ } })).rejects.toThrow('There is no table stock.thing');
  });

  it('maintains partitions only of the tables that it may truncate', async () => {
    const functions = ['partitions'];
    await apply({ tables: { 'stock.sales': MAINTAIN }, functions });
    const service = pool();
    await maintainWeeklyPartitions(service, { table: 'stock.sales', retentionDays: 30 });
    const [{ count } = { count: 0 }] = await database.query<{ count: string }>(
      `SELECT count(*) FROM pg_inherits WHERE inhparent = 'stock.sales'::regclass`,
    );
    expect(Number(count)).toBe(4);
    await apply({ tables: { 'stock.sales': WRITE }, functions });
    expect(await codeOf(service.query(`SELECT partitions.drop_week('stock.sales', 2900)`))).toBe(DENIED);
    const ids = [0, 1].map((end) => `0000000${end}-0000-7000-8000-000000000000`);
    expect(await codeOf(service.query(`SELECT partitions.create_week('stock.sales', 1, $1, $2, 80)`, ids))).toBe(
      DENIED,
    );
  });

  it('has a login whose password is set by the migration', async () => {
    await apply({ tables: { 'stock.things': READ } }, 'first');
    await apply({ tables: { 'stock.things': READ } }, `se'cond`);
    const [stored] = await database.query<{ rolpassword: string; rolcanlogin: boolean; rolsuper: boolean }>(
      'SELECT rolpassword, rolcanlogin, rolsuper FROM pg_authid WHERE rolname = $1',
      [user],
    );
    expect(stored).toEqual({
      rolpassword: expect.stringMatching(/^SCRAM-SHA-256\$4096:/) as string,
      rolcanlogin: true,
      rolsuper: false,
    });
    const { hostname: host, port, pathname } = new URL(database.url);
    const client = new Client({ host, port: Number(port), database: pathname.slice(1), user, password: `se'cond` });
    await client.connect();
    clients.push(client);
    await client.query('SELECT * FROM stock.things');
    expect(await codeOf(client.query('SELECT * FROM stock.secrets'))).toBe(DENIED);
  });

  it('can have two logins at the same time, so that the password can be changed without an interruption', async () => {
    const { hostname: host, port, pathname } = new URL(database.url);
    const connect = async (name: string, password: string): Promise<Client> => {
      const client = new Client({ host, port: Number(port), database: pathname.slice(1), user: name, password });
      await client.connect();
      clients.push(client);
      return client;
    };
    await apply({ tables: { 'stock.things': READ } }, 'first');
    const old = user;
    const before = await connect(old, 'first');
    user = `${old}_next`;
    try {
      await apply({ tables: { 'stock.things': READ } }, 'second');
      const after = await connect(user, 'second');
      for (const client of [before, await connect(old, 'first'), after])
        await client.query('SELECT * FROM stock.things');
      // The last step of docs/operations/secrets.md.
      await database.query(`DROP ROLE ${old}`);
      await after.query('SELECT * FROM stock.things');
    } finally {
      await Promise.all(clients.splice(0).map((client) => client.end()));
    }
  });

  it('can be the login itself, and keeps its password if the connection URL contains none', async () => {
    user = role;
    const stored = async () =>
      database.query('SELECT rolcanlogin, rolpassword FROM pg_authid WHERE rolname = $1', [role]);
    await apply({ tables: { 'stock.things': READ } }, 'secret');
    const before = await stored();
    expect(before).toEqual([{ rolcanlogin: true, rolpassword: expect.stringMatching(/^SCRAM/) as string }]);
    await apply({ tables: { 'stock.things': READ } }, '');
    expect(await stored()).toEqual(before);
  });

  it('has the same password verifier as the server computes', async () => {
    await database.query(`SET password_encryption = 'scram-sha-256'`);
    await database.query(`CREATE ROLE ${user} PASSWORD 'pässword'`);
    const [stored] = await database.query<{ rolpassword: string }>(
      'SELECT rolpassword FROM pg_authid WHERE rolname = $1',
      [user],
    );
    const salt = Buffer.from(/:([^$]+)\$/.exec(stored!.rolpassword)![1]!, 'base64');
    expect(scramVerifier('pässword', salt)).toBe(stored!.rolpassword);
  });
});
