import { execFile } from 'node:child_process';
import path from 'node:path';
import { creditsMigrations, post, type LedgerPosting } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Client } from 'pg';

const script = path.resolve(__dirname, '../../ops.mjs');

interface Outcome {
  code: unknown;
  lines: string[];
  errors: string;
}

/** Runs the command as `npm run ops` does. */
function ops(databaseUrl: string, ...args: string[]): Promise<Outcome> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, AMQP_URL: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, lines: stdout.trim().split('\n'), errors: stderr }),
    );
  });
}

describe('npm run ops', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations, creditsMigrations]);
  });
  afterAll(() => database.drop());

  it('prints the help without arguments', async () => {
    const { code, lines } = await ops(database.url);
    expect(code).toBe(0);
    for (const command of ['dead-letters list', 'dead-letters replay', 'reconcile'])
      expect(lines.join('\n')).toContain(command);
  });

  it.each([
    [['rebuild'], 'Unknown command: rebuild'],
    [['dead-letters', 'list'], 'Name one queue'],
    [['dead-letters', 'list', 'sms-api.send', 'all'], 'positive integer'],
    [['reconcile', 'sms'], 'reconcile takes no arguments'],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { code, errors } = await ops(database.url, ...args);
    expect(errors).toContain(message);
    expect(code).toBe(2);
  });

  describe('dead-letters', () => {
    const queue = 'sms-api.send';
    beforeAll(() =>
      database.query(
        `INSERT INTO messaging.local_deliveries (queue, event_id, type, payload, attempt, dead_at, error)
         SELECT $1, id, 'sms.accepted', json_build_object('id', id, 'type', 'sms.accepted'), 5, now(), 'cannot be parsed'
         FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 3)) AS ids`,
        [queue],
      ),
    );

    it('lists at most as many as requested', async () => {
      const { code, lines } = await ops(database.url, 'dead-letters', 'list', queue, '2');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({ type: 'sms.accepted', error: 'cannot be parsed' }),
        expect.objectContaining({ type: 'sms.accepted', error: 'cannot be parsed' }),
      ]);
      expect(code).toBe(0);
    });

    it('returns them to their queue', async () => {
      const { lines } = await ops(database.url, 'dead-letters', 'replay', queue);
      expect(lines).toEqual([`3 dead letters returned to ${queue}`]);
      expect(await database.query('SELECT DISTINCT dead_at, error, attempt FROM messaging.local_deliveries')).toEqual([
        { dead_at: null, error: null, attempt: 0 },
      ]);
    });
  });

  describe('reconcile', () => {
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
    beforeAll(async () => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      await post(client, [topUp('sms', 'one'), topUp('sms', 'two'), topUp('email', 'three')]);
      await client.end();
    });

    it('prints a summary and exits with 0 when everything agrees', async () => {
      const { code, lines } = await ops(database.url, 'reconcile');
      expect(lines).toEqual(['2 accounts, 3 ledger entries: no differences']);
      expect(code).toBe(0);
    });

    it('prints every difference and exits with 1', async () => {
      await database.query(`UPDATE credits.accounts SET balance = 11 WHERE credit_type = 'email'`);
      await database.query(`UPDATE credits.ledger SET balance_after = 7 WHERE reference = 'two'`);
      const [entry] = await database.query<{ id: string }>(`SELECT id FROM credits.ledger WHERE reference = 'two'`);
      const { code, lines } = await ops(database.url, 'reconcile');
      expect(lines).toEqual([
        `workspace ${workspaceId}, email: the balance is 11, the ledger sum is 10`,
        `workspace ${workspaceId}, sms: entry ${entry!.id} (two) has balance_after 7, expected 20`,
        '2 accounts, 3 ledger entries: 2 differences',
      ]);
      expect(code).toBe(1);
    });

    it('exits with 2 when the database is unavailable', async () => {
      const { code, errors } = await ops(`${database.url}_missing`, 'reconcile');
      expect(errors).toContain('does not exist');
      expect(code).toBe(2);
    });
  });
});
