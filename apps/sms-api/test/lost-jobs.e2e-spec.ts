import { until } from '@heliograph/testing';
import { call, postJson } from './calls';
import { carrierAccount, SmsFixture, type SmsTenant } from './sms-fixture';

describe('messages whose events the broker lost', () => {
  /** It accepts messages and publishes nothing. */
  let sms: SmsFixture;
  beforeEach(async () => {
    sms = await SmsFixture.start({ environment: { ROLE: 'api' } });
  });
  afterEach(() => sms.stop());

  const send = async (tenant: SmsTenant, more: object = {}) => {
    const fields = { from: tenant.sender.header, to: sms.recipient(), message: 'x', ...more };
    const answer = await postJson(sms, tenant.key, fields);
    expect(answer.status).toBe(200);
    return { id: String(answer.body['messageId']), to: fields.to };
  };
  const loseEvents = () => sms.database.query('DELETE FROM messaging.outbox');
  const makeOlder = async (minutes: number) => {
    await sms.database.query(
      `UPDATE sms.messages SET created_at = created_at - $1 * interval '1 minute',
         scheduled_at = scheduled_at - $1 * interval '1 minute'`,
      [minutes],
    );
    // The sweeper has passed the new times.
    await sms.database.query(`UPDATE messaging.sweeps SET position = '-infinity'`);
  };
  const statuses = () =>
    sms.database.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM sms.messages GROUP BY 1 ORDER BY 1',
    );
  const oldest = async (worker: SmsFixture) => {
    const text = String((await call(worker, '/metrics')).text);
    return Number(/^oldest_unfinished_seconds\{.*channel="sms".*\} ([\d.]+)$/m.exec(text)?.[1] ?? NaN);
  };

  it('are published again after five minutes, also scheduled ones, and are delivered once', async () => {
    const one = await sms.tenant();
    const other = await sms.tenant();
    const sent = [];
    for (let n = 0; n < 20; n++) sent.push(await send(n % 4 === 0 ? other : one));
    sent.push(await send(one, { scheduledAt: new Date(Date.now() + 1_500).toISOString() }));
    const future = await send(one, { scheduledAt: '2099-01-01T00:00:00Z' });
    await until('the scheduled message is due', async () => {
      const due = await sms.database.query(`SELECT FROM sms.messages WHERE scheduled_at < now()`);
      return due.length === 1;
    });
    await loseEvents();
    const worker = await sms.beside({ ROLE: 'worker' });
    // A message is not lost before that time.
    await until('the age is known', async () => (await oldest(worker)) > 0);
    expect(await sms.database.query('SELECT FROM messaging.requeues')).toEqual([]);
    await makeOlder(6);
    await until('all due messages are delivered', async () => {
      const [delivered] = await statuses();
      return delivered?.status === 'delivered' && delivered.count === sent.length;
    });
    expect(await statuses()).toEqual([
      { status: 'delivered', count: sent.length },
      { status: 'scheduled', count: 1 },
    ]);
    for (const { to } of sent) expect(sms.carrier.messages(to)).toHaveLength(1);
    expect(sms.carrier.messages(future.to)).toEqual([]);
    await until('no message is unfinished', async () => (await oldest(worker)) === 0);
    await worker.service.stop();
  });

  it('degrade the service and show their age, and messages that wait for a carrier are not published again', async () => {
    const tenant = await sms.tenant();
    for (let n = 0; n < 3; n++) await send(tenant);
    await makeOlder(60);
    // Nobody listens on this port.
    const worker = await sms.beside({ ROLE: 'worker', SMS_CARRIERS: JSON.stringify([carrierAccount(1)]) });
    await until('the age is known', async () => (await oldest(worker)) > 3_590);
    const { body } = await call(worker, '/health/ready');
    expect(body).toMatchObject({
      status: 'degraded',
      checks: { 'oldest sms': expect.stringMatching(/^down: .*36\d\d s/) as string },
    });
    await until('the messages wait in the outbox', async () => {
      const waiting = await sms.database.query('SELECT FROM messaging.outbox WHERE queue IS NOT NULL');
      return waiting.length === 3;
    });
    const sweptAt = async () =>
      (await sms.database.query<{ at: Date }>('SELECT swept_at AS at FROM messaging.sweeps'))[0]!.at.getTime();
    const before = await sweptAt();
    await until('the messages were examined again', async () => (await sweptAt()) > before);
    const requeued = await sms.database.query<{ times: number }>('SELECT times FROM messaging.requeues');
    expect(requeued.every(({ times }) => times === 0)).toBe(true);
    await worker.service.stop();
  });
});
