import { poolOf, newId } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, TenantFactory, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import { balanceOf, post, reconcile, type LedgerPosting } from './ledger';
import { creditsMigrations } from './migration-set';

describe('the ledger', () => {
  let database: TestDatabase;
  let factory: TenantFactory;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations, creditsMigrations]);
    factory = await TenantFactory.connect(database.url);
    pool = poolOf(factory.dataSource);
  });
  afterAll(async () => {
    await factory.close();
    await database.drop();
  });

  const organizationId = newId();
  const posting = (workspaceId: string, amount: number, more: Partial<LedgerPosting> = {}): LedgerPosting => ({
    organizationId,
    workspaceId,
    creditType: 'sms',
    kind: amount < 0 ? 'charge' : 'topup',
    amount,
    reference: `test:${newId()}`,
    correlationId: null,
    ...more,
  });
  const account = async (amount: number): Promise<string> => {
    const workspaceId = newId();
    if (amount > 0) await post(pool, [posting(workspaceId, amount)]);
    return workspaceId;
  };
  const entries = (workspaceId: string) =>
    database.query<{ kind: string; amount: string; balance_after: string }>(
      'SELECT kind, amount, balance_after FROM credits.ledger WHERE workspace_id = $1 ORDER BY id',
      [workspaceId],
    );

  it('posts in the given order, and answers the balance after each', async () => {
    const workspace = await account(10);
    const results = await post(pool, [
      posting(workspace, -4),
      posting(workspace, -7),
      posting(workspace, 5),
      posting(workspace, -7),
    ]);
    expect(results).toEqual([
      { outcome: 'posted', balance: 6 },
      { outcome: 'insufficient', balance: 6 },
      { outcome: 'posted', balance: 11 },
      { outcome: 'posted', balance: 4 },
    ]);
    expect(await balanceOf(pool, workspace, 'sms')).toBe(4);
    expect((await entries(workspace)).map(({ balance_after }) => Number(balance_after))).toEqual([10, 6, 11, 4]);
  });

  it('moves credits once for a reference and kind, whatever is asked the second time', async () => {
    const workspace = await account(10);
    const charge = posting(workspace, -4);
    expect(await post(pool, [charge])).toEqual([{ outcome: 'posted', balance: 6 }]);
    expect(await post(pool, [charge])).toEqual([{ outcome: 'repeated', balance: 6 }]);
    expect(await post(pool, [{ ...charge, amount: -6 }])).toEqual([{ outcome: 'repeated', balance: 6 }]);
    const refund = { ...charge, kind: 'refund' as const, amount: 4 };
    expect(await post(pool, [refund, posting(workspace, -1)])).toEqual([
      { outcome: 'posted', balance: 10 },
      { outcome: 'posted', balance: 9 },
    ]);
    expect((await post(pool, [refund]))[0]?.outcome).toBe('repeated');
    expect(await balanceOf(pool, workspace, 'sms')).toBe(9);
  });

  it('keeps channels apart', async () => {
    const workspace = await account(10);
    await post(pool, [posting(workspace, 3, { creditType: 'email' })]);
    expect((await post(pool, [posting(workspace, -4, { creditType: 'email' })]))[0]?.outcome).toBe('insufficient');
    expect(await balanceOf(pool, workspace, 'email')).toBe(3);
    expect(await balanceOf(pool, workspace, 'sms')).toBe(10);
    expect(await balanceOf(pool, workspace, 'chatapp')).toBe(0);
  });

  it('has nothing to take from where nothing was ever granted', async () => {
    const workspace = await account(0);
    expect(await post(pool, [posting(workspace, -1)])).toEqual([{ outcome: 'insufficient', balance: 0 }]);
    expect(await entries(workspace)).toEqual([]);
  });

  it('is committed with the transaction of what it pays for, or not at all', async () => {
    const workspace = await account(10);
    const client = await pool.connect();
    await client.query('BEGIN');
    expect(await post(client, [posting(workspace, -4)])).toEqual([{ outcome: 'posted', balance: 6 }]);
    await client.query('ROLLBACK');
    client.release();
    expect(await balanceOf(pool, workspace, 'sms')).toBe(10);
    expect(await entries(workspace)).toHaveLength(1);
  });

  it('tells of charges and refunds through the outbox, and of nothing else', async () => {
    const workspace = await account(10);
    const charge = posting(workspace, -4, { correlationId: 'call-1' });
    await post(pool, [charge, posting(workspace, -100)]);
    await post(pool, [{ ...charge, kind: 'refund', amount: 4 }]);
    const events = await database.query<{ type: string; payload: { data: object; correlationId: string } }>(
      `SELECT type, payload FROM messaging.outbox WHERE payload->>'workspaceId' = $1 ORDER BY id`,
      [workspace],
    );
    expect(events).toMatchObject([
      {
        type: 'credits.charged',
        payload: {
          correlationId: 'call-1',
          data: { amount: -4, balanceAfter: 6, creditType: 'sms', reference: charge.reference },
        },
      },
      { type: 'credits.refunded', payload: { data: { amount: 4, balanceAfter: 10, reference: charge.reference } } },
    ]);
    expect(events).toHaveLength(2);
  });

  it.each([1.5, NaN, Infinity, 1e308, 2 ** 63])('refuses an amount of %d, and moves nothing', async (amount) => {
    const workspace = await account(10);
    await expect(post(pool, [posting(workspace, amount, { kind: 'topup' })])).rejects.toThrow();
    expect(await balanceOf(pool, workspace, 'sms')).toBe(10);
  });

  it('never goes below zero, even behind its back', async () => {
    const workspace = await account(1);
    await expect(
      database.query('UPDATE credits.accounts SET balance = -1 WHERE workspace_id = $1', [workspace]),
    ).rejects.toMatchObject({ code: '23514', constraint: 'accounts_balance_check' });
  });

  it('survives hundreds of crossing charges, refunds and transfers: no error, no loss, no credit from nowhere', async () => {
    const workspaces = await Promise.all(Array.from({ length: 5 }, () => account(100)));
    const charges: LedgerPosting[] = [];
    const work = Array.from({ length: 400 }, async (_, i) => {
      const from = workspaces[i % 5]!;
      const to = workspaces[(i * 3 + 1) % 5]!;
      const amount = (i % 7) + 1;
      switch (i % 3) {
        case 0: {
          const charge = posting(from, -amount);
          const [result] = await post(pool, [charge]);
          if (result?.outcome === 'posted') charges.push(charge);
          return;
        }
        case 1: {
          const charge = charges.pop();
          if (charge) await post(pool, [{ ...charge, kind: 'refund', amount: -charge.amount }]);
          return;
        }
        default: {
          // The accounts in either order: whoever locks in the order of asking deadlocks here.
          const client = await pool.connect();
          try {
            await client.query('BEGIN');
            const reference = `transfer:${newId()}`;
            const legs = [
              posting(from, -amount, { kind: 'transfer', reference: `${reference}:out` }),
              posting(to, amount, { kind: 'transfer', reference: `${reference}:in` }),
            ];
            const results = await post(client, i % 2 ? legs : legs.reverse());
            await client.query(results.every(({ outcome }) => outcome === 'posted') ? 'COMMIT' : 'ROLLBACK');
          } finally {
            client.release();
          }
        }
      }
    });
    await Promise.all(work);
    expect(await reconcile(pool)).toEqual([]);
    const [sums] = await database.query<{ moved: number; total: number; lowest: number; transfers: number }>(
      `SELECT (SELECT sum(balance)::int FROM credits.accounts WHERE workspace_id = ANY($1)) AS total,
              sum(amount)::int AS moved, min(balance_after)::int AS lowest,
              sum(amount) FILTER (WHERE kind = 'transfer')::int AS transfers
       FROM credits.ledger WHERE workspace_id = ANY($1)`,
      [workspaces],
    );
    expect(sums?.total).toBe(sums?.moved);
    expect(sums?.transfers).toBe(0);
    expect(sums?.lowest).toBeGreaterThanOrEqual(0);
  });

  it('gives the last credit to one of many', async () => {
    const workspace = await account(1);
    const results = await Promise.all(Array.from({ length: 50 }, () => post(pool, [posting(workspace, -1)])));
    expect(results.filter(([result]) => result?.outcome === 'posted')).toHaveLength(1);
    expect(await balanceOf(pool, workspace, 'sms')).toBe(0);
  });

  it('names a balance that does not follow from its entries', async () => {
    const workspace = await account(10);
    await database.query('UPDATE credits.accounts SET balance = 11 WHERE workspace_id = $1', [workspace]);
    expect(await reconcile(pool)).toEqual([{ workspaceId: workspace, creditType: 'sms', balance: 11, ledgerSum: 10 }]);
    await database.query('DELETE FROM credits.accounts WHERE workspace_id = $1', [workspace]);
    expect(await reconcile(pool)).toEqual([{ workspaceId: workspace, creditType: 'sms', balance: 0, ledgerSum: 10 }]);
    await database.query('DELETE FROM credits.ledger WHERE workspace_id = $1', [workspace]);
    expect(await reconcile(pool)).toEqual([]);
  });
});
