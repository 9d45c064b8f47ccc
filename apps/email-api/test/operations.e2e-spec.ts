import { createServer } from 'node:net';
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
    await until(
      'the notification is counted',
      async () => (await metric('email_events_total', 'type="delivered"')) === 1,
    );
    await until('its events are published', async () => (await metric('relay_published_total')) >= 3);
    for (const gauge of ['email_queue_depth', 'email_backend_waiting', 'outbox_backlog', 'relay_refused_total']) {
      await until(`${gauge} is 0`, async () => (await metric(gauge)) === 0);
    }
  });

  const readiness = async (): Promise<[number, unknown, string | undefined]> => {
    const { status, body } = await call(email, '/health/ready');
    return [status, body['status'], (body['checks'] as Record<string, string>)['mail backend']];
  };

  it('continues without the mail backend, and is degraded until a probe connects', async () => {
    const tenant = await email.tenant();
    const port = email.mailbox.smtpPort;
    await email.mailbox.stop();
    await sendOk(email, tenant.key, { to: email.recipient(), subject: 'Hi', text: 'Hi' });
    const refused = [200, 'degraded', 'down: the server refuses connections'];
    expect(await readiness()).toEqual(refused);

    let probes = 0;
    const closing = createServer((socket) => {
      probes++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => closing.listen(port, '127.0.0.1', resolve));
    // The pauses between probes are longer than a second.
    const states = new Set<unknown>();
    await until('the second probe fails', async () => {
      states.add((await readiness())[1]);
      return probes >= 2;
    });
    expect([...states]).toEqual(['degraded']);
    expect(await readiness()).toEqual([200, 'degraded', 'down: the server closes connections']);
    await new Promise((resolve) => closing.close(resolve));

    await email.mailbox.start({ smtpPort: port });
    await until('the service is ready', async () => (await readiness())[1] === 'ok');
  });

  it('is degraded without traffic if the certificate of the mail backend is not trusted', async () => {
    await email.restart({ EMAIL_SMTP_REQUIRE_TLS: 'true', EMAIL_SMTP_VERIFY_TLS: 'true' });
    const untrusted = 'down: the certificate of the server is not trusted (self-signed certificate)';
    await until('a probe fails', async () => (await readiness())[2] === untrusted);
    expect((await readiness())[1]).toBe('degraded');
    await email.restart();
  });
});
