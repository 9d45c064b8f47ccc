import { newId } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { systemMailMigrations } from '@heliograph/system-mail';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { ops } from './ops-runs.fixture';

describe('npm run ops -- requeue', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations, systemMailMigrations]);
  });
  afterAll(() => database.drop());

  const request = async (age: string): Promise<string> => {
    const id = newId();
    const event = { id: newId(), type: 'mail.requested', version: 1, data: { contentId: id } };
    await database.query(
      `INSERT INTO system_mail.contents (id, subject, text, html, attachments, event, created_at)
       VALUES ($1, '', '', '', '[]', $2, now() - $3::interval)`,
      [id, JSON.stringify(event), age],
    );
    return id;
  };
  const requeue = (...args: string[]) => ops(database.url, ['requeue', '--channel', 'system-mail', ...args]);
  const published = async () => {
    const rows = await database.query<{ id: string; queue: string }>(
      `DELETE FROM messaging.outbox RETURNING payload->'data'->>'contentId' AS id, queue`,
    );
    expect(rows.every(({ queue }) => queue === 'email-api.mail')).toBe(true);
    return rows.map(({ id }) => id).sort();
  };

  it('publishes the jobs of a channel that are older than the given age, and again when it is repeated', async () => {
    const old = [await request('2 hours'), await request('3 hours')].sort();
    const young = await request('10 seconds');
    expect(await requeue('--older-than', '1h')).toMatchObject({ code: 0, lines: ['system-mail: 2 requeued'] });
    expect(await published()).toEqual(old);
    expect(await requeue()).toMatchObject({ code: 0, lines: ['system-mail: 2 requeued'] });
    expect(await published()).toEqual(old);
    expect(await requeue('--older-than', '5s')).toMatchObject({ code: 0, lines: ['system-mail: 3 requeued'] });
    // They wait in the outbox now.
    expect(await requeue('--older-than', '5s')).toMatchObject({ code: 0, lines: ['system-mail: 0 requeued'] });
    expect(await published()).toEqual([...old, young].sort());
  });

  it.each([
    [['--older-than', '5'], '--older-than must be an age such as 30s, 5m, 2h or 1d, not 5.'],
    [['--channel', 'fax'], '--channel must be one of sms, email, system-mail, payments, receipts, erasures, not fax.'],
    [['--all'], "Unknown option '--all'"],
  ])('rejects %j', async (args, reason) => {
    const { code, errors } = await ops(database.url, ['requeue', ...args]);
    expect(code).toBe(2);
    expect(errors).toContain(reason);
  });
});
