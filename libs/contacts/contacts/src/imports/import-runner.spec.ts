import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createLogger } from '@heliograph/service-kit';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { contactsEntities, contactsMigrations } from '../migration-set';
import { ImportRunner } from './import-runner';
import { ImportsRepository } from './imports.repository';

interface StoredContact {
  id: string;
  email: string | null;
  phone: string | null;
}

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

  describe('of contacts whose addresses change hands', () => {
    const phone = (n: number) => `+49151${String(10_000_000 + n)}`;
    const existing = async (...contacts: [email: string | null, phone: string | null][]) => {
      for (const [email, number] of contacts) {
        await pool.query(
          `INSERT INTO contacts.contacts (id, organization_id, email, phone, source) VALUES ($1, $2, $3, $4, 'api')`,
          [newId(), organizationId, email, number],
        );
      }
      return contactsByEmail();
    };
    const contactsByEmail = async () => {
      const { rows } = await pool.query<StoredContact>(
        'SELECT id, email, phone FROM contacts.contacts WHERE organization_id = $1 ORDER BY email, phone',
        [organizationId],
      );
      return new Map(rows.map((contact) => [contact.email ?? contact.phone, contact]));
    };
    const importRows = async (
      rows: [email: string, phone: string][],
      { filler = 0, onConflict }: { filler?: number; onConflict?: 'skip' } = {},
    ) => {
      const [first, ...others] = rows.map(([email, number]) => ({ email: email || null, phone: number || null }));
      const between = Array.from({ length: filler }, (_, n) => ({ email: `filler${n}@example.com` }));
      const id = await imports.begin(organizationId, 'json');
      const lines = [first, ...between, ...others].map((row) => `${JSON.stringify(row)}\n`);
      await imports.addChunk(id, 0, Buffer.from(lines.join('')));
      await dataSource.transaction((transaction) => imports.enqueue(transaction, id, { on_conflict: onConflict }));
      await attempts(1);
      const done = await stored(id);
      expect(done).toMatchObject({ status: 'completed', error: null });
      return { ...done!, errors: await imports.errors(id, 10), after: await contactsByEmail() };
    };

    it.each([0, 998, 999, 1_500])(
      'creates the new owner of a released number, with %d rows between',
      async (filler) => {
        const before = await existing(['a1@example.com', phone(1)]);
        const rows: [string, string][] = [
          ['A1@example.com', phone(2)],
          ['c1@example.com', phone(1)],
        ];
        const { created, updated, after } = await importRows(rows, { filler });
        expect([created, updated]).toEqual([1 + filler, 1]);
        expect(after.get('a1@example.com')).toMatchObject({ id: before.get('a1@example.com')!.id, phone: phone(2) });
        expect(after.get('c1@example.com')).toMatchObject({ phone: phone(1) });
      },
    );

    it('moves numbers along a chain of contacts', async () => {
      const before = await existing(
        ['a1@example.com', phone(1)],
        ['b1@example.com', phone(2)],
        ['c1@example.com', phone(3)],
      );
      const { updated, after } = await importRows([
        ['c1@example.com', phone(4)],
        ['b1@example.com', phone(3)],
        ['a1@example.com', phone(2)],
      ]);
      expect(updated).toBe(3);
      for (const [email, number] of [
        ['a1@example.com', phone(2)],
        ['b1@example.com', phone(3)],
        ['c1@example.com', phone(4)],
      ] as const) {
        expect(after.get(email)).toEqual({ ...before.get(email)!, phone: number });
      }
    });

    it('exchanges numbers through a third one', async () => {
      const before = await existing(['a1@example.com', phone(1)], ['b1@example.com', phone(2)]);
      const { updated, after } = await importRows([
        ['a1@example.com', phone(9)],
        ['b1@example.com', phone(1)],
        ['a1@example.com', phone(2)],
      ]);
      expect(updated).toBe(3);
      expect(after.get('a1@example.com')).toEqual({ ...before.get('a1@example.com')!, phone: phone(2) });
      expect(after.get('b1@example.com')).toEqual({ ...before.get('b1@example.com')!, phone: phone(1) });
    });

    it('gives a released email address to another contact', async () => {
      const before = await existing(['a1@example.com', null], [null, phone(1)]);
      const { after } = await importRows([
        ['a1@example.com', phone(2)],
        ['b1@example.com', phone(1)],
        ['', phone(2)],
      ]);
      expect(after.get('a1@example.com')).toMatchObject({ id: before.get('a1@example.com')!.id, phone: phone(2) });
      expect(after.get('b1@example.com')).toMatchObject({ id: before.get(phone(1))!.id, phone: phone(1) });
    });

    it.each([0, 1_500])('refuses rows of another person with a number in use, with %d rows between', async (filler) => {
      const before = await existing(['a1@example.com', phone(1)], ['b1@example.com', phone(2)]);
      const refused = await importRows(
        [
          ['x1@example.com', phone(7)],
          ['y1@example.com', phone(7)],
          ['c1@example.com', phone(1)],
          ['a1@example.com', phone(2)],
          ['b1@example.com', phone(1)],
        ],
        { filler },
      );
      expect([refused.created, refused.updated, refused.invalid]).toEqual([1 + filler, 0, 4]);
      expect(refused.errors.map(({ row, field }) => [row - filler, field])).toEqual([
        [2, 'phone'],
        [3, 'phone'],
        [4, 'phone'],
        [5, 'phone'],
      ]);
      for (const [email, contact] of before) expect(refused.after.get(email)).toEqual(contact);
      expect(refused.after.get('x1@example.com')).toMatchObject({ phone: phone(7) });
    });

    it('skips known contacts, whose numbers remain in use', async () => {
      const before = await existing(['a1@example.com', phone(1)]);
      const skipped = await importRows(
        [
          ['a1@example.com', phone(2)],
          ['c1@example.com', phone(1)],
          ['d1@example.com', phone(2)],
        ],
        { onConflict: 'skip' },
      );
      expect([skipped.created, skipped.skipped]).toEqual([1, 2]);
      expect(skipped.after.get('a1@example.com')).toEqual(before.get('a1@example.com'));
    });
  });
});
