import { until } from '@heliograph/testing';
import { Client } from 'pg';
import { ChatappFixture, newNumber } from './chatapp-fixture';

/** Longer than the row needs to be found and locked. */
const DELAY_MS = 2_000;

describe('a chat message whose row somebody else has locked', () => {
  let chatapp: ChatappFixture;
  let locker: Client;
  beforeAll(async () => {
    // Longer than a call waits for its commit.
    chatapp = await ChatappFixture.start({ environment: { DATABASE_LOCK_TIMEOUT_MS: '30000' } });
    locker = new Client({ connectionString: chatapp.database.url });
    await locker.connect();
  });
  afterEach(() => chatapp.provider.behaviours.reset());
  afterAll(async () => {
    await locker.end();
    await chatapp.stop();
  });

  it('does not delay the response of the provider to another organization', async () => {
    const name = await chatapp.template(null);
    const [busy, neighbour] = await Promise.all([chatapp.tenant(), chatapp.tenant()]);
    const template = (to: string) => ({ to, type: 'template', template: { name } });
    const to = newNumber();
    chatapp.provider.behave({ delayMs: DELAY_MS }, to);
    let isAnswered = false;
    const waiting = chatapp.send(busy, template(to)).then((answer) => {
      isAnswered = true;
      return answer;
    });
    await until('the message is stored', async () => {
      const rows = await chatapp.rows('SELECT FROM chatapp.messages WHERE recipient = $1', [to]);
      return rows.length === 1;
    });
    await locker.query('BEGIN');
    await locker.query('SELECT FROM chatapp.messages WHERE recipient = $1 FOR UPDATE', [to]);
    try {
      await until('the commit of the response waits for the row', async () => {
        const rows = await chatapp.rows(
          `SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%record_answers%'`,
          [],
        );
        return rows.length > 0;
      });
      const answers = await Promise.all([1, 2, 3].map(() => chatapp.send(neighbour, template(newNumber()))));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(isAnswered).toBe(false);
    } finally {
      await locker.query('ROLLBACK');
    }
    expect((await waiting).status).toBe(200);
  });
});
