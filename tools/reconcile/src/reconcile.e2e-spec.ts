import { execFile } from 'node:child_process';
import path from 'node:path';
import { creditsMigrations, post, type LedgerPosting } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Client } from 'pg';

const command = path.resolve(__dirname, '../../reconcile.mjs');

/** Runs the command as `npm run reconcile` does. */
function run(databaseUrl: string): Promise<{ code: unknown; lines: string[]; errors: string }> {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, [command], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, lines: stdout.trim().split('\n'), errors: stderr }),
    );
  });
}

describe('npm run reconcile', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations, creditsMigrations]);
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const workspaceId = newId();
  const topUp = (creditType: LedgerPosting['creditType'], reference: string): LedgerPosting => ({
    organizationId: newId(),
    workspaceId,
    creditType,
    kind: 'topup',
    amount: 10,
    reference,
    correlationId: null,
  });

  it('says in one line how much agrees, and ends with 0', async () => {
    await post(client, [topUp('sms', 'one'), topUp('sms', 'two'), topUp('email', 'three')]);
    const { code, lines } = await run(database.url);
    expect(lines).toEqual(['2 accounts, 3 ledger entries: no difference']);
    expect(code).toBe(0);
  }, 60_000);

  it('names every difference, and ends with 1', async () => {
    await database.query(`UPDATE credits.accounts SET balance = 11 WHERE credit_type = 'email'`);
    await database.query(`UPDATE credits.ledger SET balance_after = 7 WHERE reference = 'two'`);
    const [entry] = await database.query<{ id: string }>(`SELECT id FROM credits.ledger WHERE reference = 'two'`);
    const { code, lines } = await run(database.url);
    expect(lines).toEqual([
      `workspace ${workspaceId}, email: the balance is 11, the ledger's sum 10`,
      `workspace ${workspaceId}, sms: entry ${entry!.id} (two) says it left 7, from the entry before it follows 20`,
      '2 accounts, 3 ledger entries: 2 differences',
    ]);
    expect(code).toBe(1);
  }, 60_000);

  it('ends with 2 when it cannot be told', async () => {
    const { code, errors } = await run(`${database.url}_that_is_not_there`);
    expect(errors).toContain('does not exist');
    expect(code).toBe(2);
  }, 60_000);
});
