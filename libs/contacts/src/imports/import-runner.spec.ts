import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { LaneObserver } from '@heliograph/fairness';
import { messagingMigrations } from '@heliograph/messaging';
import { createLogger } from '@heliograph/service-kit';
import { createTestDatabase, until, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { contactsEntities, contactsMigrations } from '../migration-set';
import { ImportRunner } from './import-runner';
import { ImportsRepository } from './imports.repository';

const log = createLogger('spec', 'silent');
const runnerOf = (dataSource: DataSource): ImportRunner => {
  const pool = poolOf(dataSource);
  const observer = new LaneObserver(new Registry(), log);
  return new ImportRunner(new ImportsRepository(pool), dataSource, pool, {}, log, observer);
};

interface StoredContact {
  id: string;
  email: string | null;
  phone: string | null;
}

describe('an import', () => {
  let database: TestDatabase;
  let settings: ReturnType<typeof databaseConfigSchema.parse>;
  let dataSource: DataSource;
  let pool: Pool;
  let imports: ImportsRepository;
  let runner: ImportRunner;
  let organizationId: string;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations, contactsMigrations]);
    settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 6 });
    dataSource = await createDataSource(settings, 'contacts', contactsEntities).initialize();
    pool = poolOf(dataSource);
    imports = new ImportsRepository(pool);
    runner = runnerOf(dataSource);
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
      await runner.runWaiting();
      await runner.idle();
      await pool.query('UPDATE contacts.imports SET lease_until = NULL');
    }
  };
  const stored = async (id: string) => imports.find(organizationId, id);
  const failing = async (sqlState: string, statement = 'INSERT ON contacts.import_errors') => {
    await pool.query(`
      CREATE FUNCTION contacts.fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'fails' USING ERRCODE = '${sqlState}'; END $$;
      CREATE TRIGGER fail BEFORE ${statement} EXECUTE FUNCTION contacts.fail()`);
    return () => pool.query('DROP FUNCTION contacts.fail() CASCADE');
  };

  it('fails after five attempts that an error interrupted', async () => {
    const id = await queued('{"email":"ann@example.com"}\nnot JSON\n');
    await attempts(4);
    expect(await stored(id)).toMatchObject({ status: 'running', error: null });
    await attempts(1);
    expect(await stored(id)).toMatchObject({
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: expect.stringMatching(/^The import failed because of an internal error\./) as string,
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
      imports.advance(transaction, id, counts, [{ row: 1, field: 'a\0', message: 'a\ud83d' }], 0, 1_000),
    );
    expect(await imports.errors(id, 10)).toEqual([{ row: 1, field: 'a\ufffd', message: 'a\ufffd' }]);
  });

  describe('beside those of other organizations', () => {
    const contactsOf = (organization: string, count: number) =>
      Array.from(
        { length: count },
        (_, n) => `${JSON.stringify({ email: `${organization}-${n}@example.com` })}\n`,
      ).join('');
    const backlog = async (imported: [organization: string, rows: number][]) => {
      const ids: string[] = [];
      for (const [organization, rows] of imported) {
        organizationId = organization;
        ids.push(await queued(contactsOf(`${ids.length}-${organization}`, rows)));
      }
      return ids;
    };
    const inOrderOfEnd = async () => {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT id FROM contacts.imports WHERE status = 'completed' ORDER BY finished_at, id`,
      );
      return rows.map(({ id }) => id);
    };

    it('ends before the backlog that another organization queued earlier', async () => {
      const noisy = newId();
      const quiet = newId();
      const ids = await backlog([...Array.from({ length: 5 }, (): [string, number] => [noisy, 3_000]), [quiet, 10]]);
      await runner.runWaiting();
      await runner.idle();
      const ended = await inOrderOfEnd();
      expect(ended).toHaveLength(6);
      expect(ended[0]).toBe(ids[5]);
      expect(ended.slice(1)).toEqual(ids.slice(0, 5));
    });

    it('begins while an import of another organization runs', async () => {
      const noisy = newId();
      const quiet = newId();
      const [long] = await backlog([[noisy, 5_000]]);
      await runner.runWaiting();
      await until('the first import has begun', async () => (await imports.find(noisy, long!))!.total > 0);
      const [short] = await backlog([[quiet, 10]]);
      await runner.runWaiting();
      await runner.idle();
      expect(await inOrderOfEnd()).toEqual([short, long]);
    });

    it('is not delayed by an import that waits for a lock', async () => {
      const noisy = newId();
      const quiet = newId();
      const contact = newId();
      await pool.query(
        `INSERT INTO contacts.contacts (id, organization_id, email, source) VALUES ($1, $2, $3, 'api')`,
        [contact, noisy, `0-${noisy}-0@example.com`],
      );
      const locking = await pool.connect();
      await locking.query('BEGIN');
      await locking.query('SELECT FROM contacts.contacts WHERE id = $1 FOR UPDATE', [contact]);
      const [stuck, short] = await backlog([
        [noisy, 10],
        [quiet, 10],
      ]);
      await runner.runWaiting();
      await until('the other import is completed', async () => (await inOrderOfEnd()).includes(short!));
      await locking.query('COMMIT');
      locking.release();
      await runner.idle();
      expect(await inOrderOfEnd()).toEqual([short, stuck]);
    });

    it('is imported once by several processes, also if one of them is killed', async () => {
      const organizations = [newId(), newId(), newId()];
      const ids = await backlog([0, 1, 2, 0, 1].map((n): [string, number] => [organizations[n]!, 2_000]));
      const killed = await createDataSource(settings, 'contacts', contactsEntities).initialize();
      const other = runnerOf(killed);
      await Promise.all([runner.runWaiting(), other.runWaiting()]);
      await until('both processes have imported rows', async () => {
        const { rows } = await pool.query('SELECT FROM contacts.imports WHERE total > 0');
        return rows.length >= 2;
      });
      await killed.destroy();
      await Promise.all([runner.idle(), other.idle()]);
      // The leases of the killed process expire.
      await pool.query('UPDATE contacts.imports SET lease_until = NULL');
      await attempts(1);
      expect((await inOrderOfEnd()).sort()).toEqual([...ids].sort());
      const { rows } = await pool.query(
        'SELECT organization_id, count(*)::int AS count FROM contacts.contacts WHERE organization_id = ANY ($1) GROUP BY 1',
        [organizations],
      );
      expect(
        new Map(rows.map((row: { organization_id: string; count: number }) => [row.organization_id, row.count])),
      ).toEqual(new Map(organizations.map((id, n) => [id, n === 2 ? 2_000 : 4_000])));
      const { rows: totals } = await pool.query('SELECT total, created FROM contacts.imports');
      expect(totals).toEqual(ids.map(() => ({ total: 2_000, created: 2_000 })));
    });
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

    const owners = (after: Map<string | null, StoredContact>, emails: string[]) =>
      emails.map((email) => [after.get(email)?.id, after.get(email)?.phone]);

    it.each([0, 997, 998, 999, 1_500])(
      'exchanges the numbers of two contacts, with %d rows between',
      async (filler) => {
        const before = await existing(['a1@example.com', phone(1)], ['b1@example.com', phone(2)]);
        const rows: [string, string][] = [
          ['a1@example.com', phone(2)],
          ['B1@example.com', phone(1)],
        ];
        const done = await importRows(rows, { filler });
        expect([done.total, done.created, done.updated, done.invalid]).toEqual([2 + filler, filler, 2, 0]);
        expect(owners(done.after, ['a1@example.com', 'B1@example.com', 'b1@example.com'])).toEqual([
          [before.get('a1@example.com')!.id, phone(2)],
          [undefined, undefined],
          [before.get('b1@example.com')!.id, phone(1)],
        ]);
        expect((await pool.query('SELECT FROM contacts.import_waiting_rows')).rows).toEqual([]);
      },
    );

    it.each([0, 1_500])('exchanges the numbers of three contacts, with %d rows between', async (filler) => {
      const emails = ['a1@example.com', 'b1@example.com', 'c1@example.com'];
      const before = await existing(
        ['a1@example.com', phone(1)],
        ['b1@example.com', phone(2)],
        ['c1@example.com', phone(3)],
      );
      const done = await importRows(
        [
          ['a1@example.com', phone(2)],
          ['b1@example.com', phone(3)],
          ['c1@example.com', phone(1)],
        ],
        { filler },
      );
      expect([done.total, done.updated, done.invalid]).toEqual([3 + filler, 3, 0]);
      expect(owners(done.after, emails)).toEqual(
        emails.map((email, index) => [before.get(email)!.id, phone([2, 3, 1][index]!)]),
      );
    });

    it.each([0, 1_500])(
      'creates the new owner of a number before the row that releases it, with %d rows between',
      async (filler) => {
        const before = await existing(['a1@example.com', phone(1)]);
        const done = await importRows(
          [
            ['c1@example.com', phone(1)],
            ['a1@example.com', phone(2)],
          ],
          { filler },
        );
        expect([done.created, done.updated, done.invalid]).toEqual([1 + filler, 1, 0]);
        expect(done.after.get('a1@example.com')).toEqual({ ...before.get('a1@example.com')!, phone: phone(2) });
        expect(done.after.get('c1@example.com')).toMatchObject({ phone: phone(1) });
      },
    );

    it('exchanges the numbers of thousands of contacts', async () => {
      const count = 2_500;
      await pool.query(
        `INSERT INTO contacts.contacts (id, organization_id, email, phone, source)
         SELECT gen_random_uuid(), $1, 'p' || n || '@example.com', '+49151' || (10000000 + n), 'api'
         FROM generate_series(1, $2::int) AS n`,
        [organizationId, count],
      );
      const rows = Array.from({ length: count }, (_, n): [string, string] => [
        `p${n + 1}@example.com`,
        phone(n % 2 === 0 ? n + 2 : n),
      ]);
      const done = await importRows(rows);
      expect([done.total, done.updated, done.invalid]).toEqual([count, count, 0]);
      for (const [email, number] of rows) expect(done.after.get(email)?.phone).toBe(number);
    });

    it('keeps the order of the rows of a contact whose number waits', async () => {
      await existing(['a1@example.com', phone(1)], ['b1@example.com', phone(2)]);
      const id = await queued(
        [
          { email: 'a1@example.com', phone: phone(2), first_name: 'First' },
          { email: 'b1@example.com', phone: phone(1) },
          { email: 'A1@example.com', first_name: 'Last' },
        ]
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(''),
      );
      await attempts(1);
      expect(await stored(id)).toMatchObject({ status: 'completed', total: 3, updated: 3, invalid: 0 });
      const { rows } = await pool.query(
        'SELECT first_name, phone FROM contacts.contacts WHERE organization_id = $1 ORDER BY email',
        [organizationId],
      );
      expect(rows).toEqual([
        { first_name: 'Last', phone: phone(2) },
        { first_name: null, phone: phone(1) },
      ]);
    });

    it('counts no row twice if the process is killed while rows wait', async () => {
      await existing(['a1@example.com', phone(1)], ['b1@example.com', phone(2)]);
      const lines = [
        { email: 'a1@example.com', phone: phone(2) },
        ...Array.from({ length: 1_500 }, (_, n) => ({ email: `filler${n}@example.com` })),
        { email: 'b1@example.com', phone: phone(1) },
      ];
      const id = await queued(lines.map((row) => `${JSON.stringify(row)}\n`).join(''));
      const repair = await failing('53300', 'DELETE ON contacts.import_waiting_rows');
      await attempts(2);
      expect(await stored(id)).toMatchObject({ status: 'running', total: 1_500, waiting: 2, created: 1_500 });
      await repair();
      await attempts(1);
      expect(await stored(id)).toMatchObject({
        status: 'completed',
        total: 1_502,
        waiting: 0,
        created: 1_500,
        updated: 2,
        invalid: 0,
      });
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
        ],
        { filler },
      );
      expect([refused.created, refused.updated, refused.invalid]).toEqual([1 + filler, 0, 3]);
      expect(refused.total).toBe(4 + filler);
      expect(refused.errors.map(({ row, field }) => [row - filler, field])).toEqual([
        [2, 'phone'],
        [3, 'phone'],
        [4, 'phone'],
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
