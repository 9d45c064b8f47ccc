import { newId } from '@heliograph/database';
import type { Pool } from 'pg';
import { exportEntries, listEntries, type LedgerFilter } from './entries';
import { post } from './ledger';
import { LedgerFixture } from './ledger.fixture';

let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await LedgerFixture.start();
});
afterAll(() => ledger.stop());

const list = (workspace: string, filter: LedgerFilter = {}, limit = 100, after: string | null = null) =>
  listEntries(ledger.pool, [workspace], filter, { limit, after });
const amounts = async (workspace: string, filter: LedgerFilter = {}) =>
  (await list(workspace, filter)).items.map(({ amount }) => amount);

/** Adds entries in one statement, with random ids and equal times. */
const fill = (workspace: string, count: number) =>
  ledger.database.query(
    `SELECT count(*) FROM credits.post(ARRAY(
       SELECT ROW(n, gen_random_uuid(), $2::uuid, $1::uuid, 'sms', 'topup', n + 1, gen_random_uuid()::text, NULL)::credits.entry
       FROM generate_series(0, $3::integer - 1) AS n))`,
    [workspace, ledger.organizationId, count],
  );

describe('the entries of a workspace', () => {
  it('are listed newest first, each with its amount', async () => {
    const workspace = await ledger.account(10);
    const charge = ledger.posting(workspace, -4);
    const before = new Date();
    await post(ledger.pool, [charge]);
    const { items, next } = await list(workspace);
    expect(next).toBeNull();
    expect(items[0]).toEqual({
      id: expect.any(String) as string,
      workspaceId: workspace,
      creditType: 'sms',
      kind: 'charge',
      amount: -4,
      balanceAfter: 6,
      reference: charge.reference,
      createdAt: expect.any(Date) as Date,
    });
    expect(items[0]!.createdAt.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(items.map(({ amount }) => amount)).toEqual([-4, 10]);
  });

  it('are filtered by credit type, kind, reference and time, and by all of them', async () => {
    const workspace = await ledger.account(10);
    const charge = ledger.posting(workspace, -1);
    const mail = ledger.posting(workspace, 20, { creditType: 'email' });
    await post(ledger.pool, [charge, mail, { ...charge, kind: 'refund', amount: 1 }]);
    await ledger.database.query(
      `UPDATE credits.ledger SET created_at = created_at - interval '1 hour' WHERE workspace_id = $1`,
      [workspace],
    );
    const at = new Date(Date.now() - 1_800_000);
    await post(ledger.pool, [ledger.posting(workspace, -2)]);
    expect(await amounts(workspace, { creditType: 'email' })).toEqual([20]);
    expect(await amounts(workspace, { kind: 'charge' })).toEqual([-2, -1]);
    expect(await amounts(workspace, { reference: charge.reference })).toEqual([1, -1]);
    expect(await amounts(workspace, { from: at })).toEqual([-2]);
    expect((await amounts(workspace, { to: at })).toSorted((a, b) => a - b)).toEqual([-1, 1, 10, 20]);
    const all = { creditType: 'sms', kind: 'charge', reference: charge.reference, from: new Date(0), to: at } as const;
    expect(await amounts(workspace, all)).toEqual([-1]);
    expect(await amounts(workspace, { ...all, kind: 'transfer' })).toEqual([]);
  });

  it('contain only entries of this workspace, also when filtered by reference', async () => {
    const mine = await ledger.account(10);
    const other = await ledger.account(10);
    const [entry] = (await list(other)).items;
    expect(await amounts(mine, { reference: entry!.reference })).toEqual([]);
    expect((await list(mine)).items.map(({ workspaceId }) => workspaceId)).toEqual([mine]);
  });

  it('are paginated without gaps or duplicates, although ids and times are not sorted', async () => {
    const workspace = newId();
    await fill(workspace, 25);
    const seen: number[] = [];
    let after: string | null = null;
    do {
      const page = await list(workspace, {}, 10, after);
      seen.push(...page.items.map(({ amount }) => amount));
      after = page.next;
      // Entries that are added in the meantime are newer than all listed ones.
      await post(ledger.pool, [ledger.posting(workspace, 1_000)]);
    } while (after !== null);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => 25 - i));
  });

  it('have no page after the last one, even if the last one is full', async () => {
    const workspace = newId();
    await fill(workspace, 10);
    expect((await list(workspace, {}, 10)).next).toBeNull();
  });

  it.each(['nonsense', '0', "' OR true --", newId()])('are not listed after the cursor %j', async (after) => {
    await expect(list(await ledger.account(1), {}, 10, after)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('are not listed after the cursor of another workspace', async () => {
    const { items } = await list(await ledger.account(1));
    await expect(list(await ledger.account(1), {}, 10, items[0]!.id)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('are found with an index, for every page and every time range, in a large table', async () => {
    const workspace = newId();
    await fill(workspace, 50);
    await ledger.database.query(
      `INSERT INTO credits.ledger (id, workspace_id, credit_type, kind, amount, balance_after, reference, created_at)
       SELECT gen_random_uuid(), CASE WHEN n % 10 = 0 THEN $1 ELSE md5((n % 50)::text)::uuid END, 'sms', 'topup', 1, 1,
         gen_random_uuid()::text, now() - n * interval '1 minute'
       FROM generate_series(1, 50000) AS n`,
      [workspace],
    );
    await ledger.database.query('ANALYZE credits.ledger');
    const queries: { text: string; values: unknown[] }[] = [];
    const watched = {
      query: (text: string, values: unknown[]) => {
        queries.push({ text, values });
        return ledger.pool.query(text, values);
      },
    } as unknown as Pool;
    const { next } = await listEntries(watched, [workspace], {}, { limit: 20, after: null });
    await listEntries(watched, [workspace], { kind: 'topup' }, { limit: 20, after: next });
    const span = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() - 80_000_000) };
    await listEntries(watched, [workspace], span, { limit: 20, after: null });
    const lists = queries.filter(({ text }) => text.includes('ORDER BY'));
    expect(lists).toHaveLength(3);
    for (const { text, values } of lists) {
      const { rows } = await ledger.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('ledger_workspace');
      expect(plan).not.toContain('Seq Scan');
      // All queries except the time range with few entries must stop at the limit.
      const reading = /Limit[^\n]*\n\s+->\s+Index Scan Backward using ledger_workspace/;
      if (!text.includes('created_at >=')) expect(plan).toMatch(reading);
    }
  });

  it('are exported in batches, in the same order, while others are posted', async () => {
    const workspace = newId();
    await fill(workspace, 2_000);
    await fill(workspace, 500);
    const sizes: number[] = [];
    const ids: string[] = [];
    for await (const rows of exportEntries(ledger.pool, workspace, { creditType: 'sms' })) {
      sizes.push(rows.length);
      ids.push(...rows.map(({ id }) => id));
      await fill(workspace, 10);
    }
    expect(sizes).toEqual([1_000, 1_000, 500]);
    const before = await ledger.database.query<{ id: string }>(
      `SELECT id FROM credits.ledger WHERE workspace_id = $1
       ORDER BY created_at DESC, position DESC OFFSET 30`,
      [workspace],
    );
    expect(ids).toEqual(before.map(({ id }) => id));
  });

  it('have an empty export if there are none', async () => {
    const batches = [];
    for await (const rows of exportEntries(ledger.pool, newId(), {})) batches.push(rows);
    expect(batches).toEqual([]);
  });
});
