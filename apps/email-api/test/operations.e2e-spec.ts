import { until } from '@heliograph/testing';
import { call, sendOk } from './calls';
import { EmailFixture } from './email-fixture';

describe('the operation of the service', () => {
  let email: EmailFixture;
  beforeAll(async () => {
    email = await EmailFixture.start();
  });
  afterAll(() => email.stop());

  /** @param label a label of the metric */
  const metric = async (name: string, label = ''): Promise<number> => {
    const { text } = await call(email, '/metrics');
    const line = text.split('\n').find((each) => new RegExp(`^${name}\\b`).test(each) && each.includes(label));
    return Number(line?.split(' ').at(-1) ?? NaN);
  };

  it('is visible in metrics', async () => {
    const tenant = await email.tenant();
    const to = email.recipient();
    await sendOk(email, tenant.key, { to, subject: 'Hi', text: 'Hi' });
    expect(await metric('email_accepted_total')).toBe(1);
    expect(await metric('email_attempts_total', 'outcome="accepted"')).toBe(1);
    await email.mailbox.notify({ to, action: 'delivered', status: '2.0.0' });
    await until('the notification counts', async () => (await metric('email_events_total', 'type="delivered"')) === 1);
    await until('its events have left', async () => (await metric('relay_published_total')) >= 3);
    for (const gauge of ['email_queue_depth', 'email_backend_waiting', 'outbox_backlog', 'relay_refused_total']) {
      await until(`${gauge} is 0`, async () => (await metric(gauge)) === 0);
    }
  });

  it('continues without the mail backend, and health reports it', async () => {
    const tenant = await email.tenant();
    const port = email.mailbox.smtpPort;
    await email.mailbox.stop();
    await sendOk(email, tenant.key, { to: email.recipient(), subject: 'Hi', text: 'Hi' });
    const { status, body } = await call(email, '/health/ready');
    expect([status, (body['checks'] as Record<string, string>)['mail backend']]).toEqual([200, 'down']);
    await email.mailbox.start({ smtpPort: port });
  });
});
