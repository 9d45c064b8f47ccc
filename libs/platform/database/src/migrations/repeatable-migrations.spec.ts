import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { describeApplied, migrate } from './migrate';
import type { MigrationSet } from './migration-set';
import type { RepeatableMigration } from './repeatable-migrations';

class Prices1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE stock.prices (amount integer)');
    await runner.query('INSERT INTO stock.prices VALUES (10)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE stock.prices');
  }
}

const release = (...repeatable: RepeatableMigration[]): MigrationSet[] => [
  { schema: 'stock', migrations: [Prices1700000000000], repeatable },
];

const offer = {
  name: 'offer-type',
  sql: 'CREATE TYPE stock.offer AS (amount integer)',
};
const price = {
  name: 'price',
  sql: `-- The lowest price.
    CREATE OR REPLACE FUNCTION stock.price() RETURNS integer LANGUAGE sql AS $$ SELECT min(amount) FROM stock.prices $$`,
};
const discount = {
  name: 'discount',
  sql: `CREATE OR REPLACE FUNCTION stock.discount(percent integer) RETURNS stock.offer LANGUAGE plpgsql AS $$
    BEGIN RETURN ROW(stock.price() * (100 - percent) / 100)::stock.offer; END $$`,
};
const dearer = { ...price, sql: price.sql.replace('min(amount)', 'min(amount) + 1') };
const asText = { ...price, sql: price.sql.replaceAll('integer', 'text').replace('min(amount)', 'min(amount)::text') };

describe('repeatable migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase([]);
  });
  afterEach(() => database.drop());

  const valueOf = async (expression: string): Promise<unknown> =>
    (await database.query<{ value: unknown }>(`SELECT ${expression} AS value`))[0]?.value;
  const recorded = () =>
    database.query<{ name: string; applied_at: Date }>(
      'SELECT name, applied_at FROM stock.repeatable_migrations ORDER BY position',
    );
  const functions = () =>
    valueOf(`ARRAY(SELECT proname::text FROM pg_proc WHERE pronamespace = 'stock'::regnamespace ORDER BY 1)`);
  const result = (applied: string[], removed: string[] = []) => [{ schema: 'stock', applied, removed }];

  it('create functions and types after the tables that they use', async () => {
    expect(await migrate(database.url, release(offer, price, discount))).toEqual(
      result(['offer-type', 'price', 'discount']),
    );
    expect(await valueOf('(stock.discount(20)).amount')).toBe(8);
    expect((await recorded()).map(({ name }) => name)).toEqual(['offer-type', 'price', 'discount']);
  });

  it('do nothing when no text has changed', async () => {
    await migrate(database.url, release(offer, price, discount));
    const before = await recorded();
    expect(await migrate(database.url, release(offer, price, discount))).toEqual([]);
    expect(await recorded()).toEqual(before);
  });

  it('replace only the changed body, in place', async () => {
    await migrate(database.url, release(offer, price, discount));
    const oids = () => valueOf(`ARRAY['stock.price()'::regprocedure, 'stock.discount(integer)'::regprocedure]::oid[]`);
    const before = await oids();
    expect(await migrate(database.url, release(offer, dearer, discount))).toEqual(result(['price']));
    expect(await valueOf('stock.price()')).toBe(11);
    expect(await oids()).toEqual(before);
  });

  it('replace a function whose return type or parameters have changed', async () => {
    await migrate(database.url, release(price));
    await migrate(database.url, release(asText));
    expect(await valueOf('stock.price()')).toBe('10');
    const withParameter = { ...asText, sql: asText.sql.replace('stock.price()', 'stock.price(unused text)') };
    await migrate(database.url, release(withParameter));
    expect(await functions()).toEqual(['price']);
  });

  it('replace a changed type together with the functions that depend on it', async () => {
    await migrate(database.url, release(offer, price, discount));
    const money = { ...offer, sql: offer.sql.replace('integer', 'numeric') };
    expect(await migrate(database.url, release(money, price, discount))).toEqual(
      result(['offer-type', 'price', 'discount']),
    );
    expect(await valueOf('pg_typeof((stock.discount(20)).amount)::text')).toBe('numeric');
  });

  it('remove only functions that they created and that are no longer in the list', async () => {
    await migrate(database.url, release(price, offer, discount));
    await database.query('CREATE FUNCTION stock.foreign() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$');
    expect(await migrate(database.url, release(price))).toEqual(result([], ['offer-type', 'discount']));
    expect(await functions()).toEqual(['foreign', 'price']);
  });

  it('leave the functions of the schema unchanged for a set without a list', async () => {
    await migrate(database.url, release(price));
    expect(await migrate(database.url, [{ schema: 'stock', migrations: [Prices1700000000000] }])).toEqual([]);
    expect(await functions()).toEqual(['price']);
  });

  it('run once when several processes start concurrently', async () => {
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => migrate(database.url, release(offer, price, discount))),
    );
    expect(runs.filter((run) => run.length > 0)).toHaveLength(1);
    expect(await functions()).toEqual(['discount', 'price']);
  });

  it('restore the functions of an older release that runs last, and report them', async () => {
    await migrate(database.url, release(price));
    await migrate(database.url, release(dearer, offer, discount));
    const rolledBack = await migrate(database.url, release(price));
    expect(await valueOf('stock.price()')).toBe(10);
    expect(await functions()).toEqual(['price']);
    expect(describeApplied(rolledBack)).toEqual([
      'schema stock: SQL functions applied: price; SQL functions removed: offer-type, discount',
    ]);
  });

  it('keep the functions of the previous release when one file fails', async () => {
    await migrate(database.url, release(price));
    const broken = { name: 'broken', sql: 'CREATE FUNCTION stock.broken() RETURNS nonsense LANGUAGE sql AS $$ $$' };
    await expect(migrate(database.url, release(dearer, broken))).rejects.toThrow('nonsense');
    expect(await valueOf('stock.price()')).toBe(10);
    expect((await recorded()).map(({ name }) => name)).toEqual(['price']);
  });

  it('do not fail concurrent calls', async () => {
    await migrate(database.url, release(offer, price, discount));
    const pool = new Pool({ connectionString: database.url, max: 4 });
    let calls = 0;
    let isRunning = true;
    const caller = async (): Promise<void> => {
      while (isRunning) {
        await pool.query({ name: 'discount', text: 'SELECT (stock.discount($1)).amount', values: [20] });
        calls++;
      }
    };
    const callers = Promise.all(Array.from({ length: 4 }, caller));
    for (let i = 0; i < 10; i++) {
      await migrate(database.url, release(offer, i % 2 === 0 ? dearer : price, discount));
    }
    isRunning = false;
    await callers;
    await pool.end();
    expect(calls).toBeGreaterThan(0);
  });
});
