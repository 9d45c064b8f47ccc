import { createDataSource, databaseSettings, migrate, newId, poolOf } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, until, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { listEntries } from '../entries';
import { post, type LedgerPosting } from '../ledger';
import { creditsMigrations } from '../migration-set';
import { findBrokenEntries, reconcile } from '../reconcile';

describe('the migration to thresholds and positions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pool: Pool;
  beforeEach(async () => {
    const released = { ...creditsMigrations, migrations: creditsMigrations.migrations.slice(0, 1) };
    database = await createTestDatabase([messagingMigrations, released]);
    dataSource = await createDataSource(
      databaseSettings.parse({ DATABASE_URL: database.url }),
      'migration spec',
      [],
    ).initialize();
    pool = poolOf(dataSource);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const posting = (workspaceId: string, amount: number): LedgerPosting => ({
    organizationId: newId(),
    workspaceId,
    creditType: 'sms',
    kind: amount < 0 ? 'charge' : 'topup',
    amount,
    reference: `test:${newId()}`,
    correlationId: null,
  });

  it('keeps what is there, before all that comes', async () => {
    const workspace = newId();
    for (const amount of [10, -1, -2]) await post(pool, [posting(workspace, amount)]);
    await migrate(database.url, [creditsMigrations]);
    await post(pool, [posting(workspace, -3)]);
    const { items } = await listEntries(pool, workspace, {}, { limit: 10, after: null });
    expect(items.map(({ amount, balanceAfter }) => [amount, balanceAfter])).toEqual([
      [-3, 4],
      [-2, 7],
      [-1, 9],
      [10, 10],
    ]);
    const positions = await database.query<{ position: string }>('SELECT position FROM credits.ledger ORDER BY 1');
    expect(positions.map(({ position }) => Number(position))).toEqual([-2, -1, 0, 1]);
    expect([...(await reconcile(pool)), ...(await findBrokenEntries(pool))]).toEqual([]);
  });

  it('disturbs nobody who posts meanwhile', async () => {
    const workspaces = Array.from({ length: 6 }, newId);
    let posted = 0;
    let running = true;
    const caller = async (): Promise<void> => {
      while (running) {
        await post(
          pool,
          [...workspaces].reverse().flatMap((workspace) => [posting(workspace, 3), posting(workspace, -1)]),
        );
        posted++;
      }
    };
    const callers = Promise.all(Array.from({ length: 6 }, caller));
    await until('they post', () => posted > 50);
    await migrate(database.url, [creditsMigrations]);
    const before = posted;
    await Promise.race([callers, until('they post on', () => posted > before + 50)]);
    running = false;
    await callers;
    expect([...(await reconcile(pool)), ...(await findBrokenEntries(pool))]).toEqual([]);
  });
});
