import { createScratchDatabase, seed, type ScratchDatabase } from '@heliograph/harness';
import { Client } from 'pg';
import { ops, opsProcess } from './ops-runs.fixture';

const DAY_MS = 86_400_000;

describe('npm run ops -- rebuild-analytics', () => {
  let database: ScratchDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createScratchDatabase(`ops_rebuild_${process.pid}`);
    await seed(database.url, 2);
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const dateOf = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const range = ['rebuild-analytics', '--from', dateOf(-2), '--until', dateOf(2)];
  const creditRollups = async (): Promise<unknown[]> =>
    (
      await client.query<object>(
        'SELECT * FROM analytics.credits_rollups ORDER BY dimension, grain, at, workspace_id, key',
      )
    ).rows;

  it('counts what was not counted, and then finds no difference', async () => {
    const first = await opsProcess(database.url, range);
    expect(first).toMatchObject({ code: 1, errors: '' });
    expect(first.lines).toContain('credits: 2 read, 2 not up to date, 0 rollups corrected');
    // 5 grains, and 2 dimensions, of 2 workspaces.
    expect(await creditRollups()).toHaveLength(20);
    expect(await ops(database.url, range)).toMatchObject({
      code: 0,
      lines: expect.arrayContaining(['credits: 2 read, 0 not up to date, 0 rollups corrected']) as string[],
    });
  });

  it('finds and corrects damaged rollups', async () => {
    const before = await creditRollups();
    await client.query(`UPDATE analytics.credits_rollups SET topped_up = topped_up + 1 WHERE grain = 'day'`);
    await client.query(`DELETE FROM analytics.credits_rollups WHERE grain = 'eight_weeks'`);
    expect((await ops(database.url, range)).lines).toContain('credits: 2 read, 0 not up to date, 8 rollups corrected');
    expect(await creditRollups()).toEqual(before);
    expect((await ops(database.url, range)).code).toBe(0);
  });

  it.each([
    [[], 'rebuild-analytics needs --from and --until'],
    [['--from', '2026-02-30', '--until', '2026-03-02'], 'rebuild-analytics needs --from and --until'],
    [['--from', dateOf(0), '--until', dateOf(-1)], 'rebuild-analytics needs --from and --until'],
    [['--from', '2001-01-01', '--until', '2001-01-02'], 'A rebuild can begin on'],
  ])('refuses %j', async (args, message) => {
    const { code, errors } = await ops(database.url, ['rebuild-analytics', ...args]);
    expect(errors).toContain(message);
    expect(code).toBe(2);
  });
});
