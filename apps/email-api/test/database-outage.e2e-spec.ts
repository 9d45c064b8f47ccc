import { reconcile } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { TcpProxy, testServers, until } from '@heliograph/testing';
import { call, send, type Answer } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

describe('an outage of PostgreSQL', () => {
  let proxy: TcpProxy;
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.databaseUrl);
    email = await EmailFixture.start({
      environment: (databaseUrl) => proxy.databaseSettings(databaseUrl),
    });
    tenant = await email.tenant();
  });
  afterEach(() => {
    email.mailbox.behaviours.reset();
    proxy.heal();
  });
  afterAll(async () => {
    proxy.heal();
    await email.stop();
    await proxy.stop();
  });

  const fields = (to: string | string[] = email.recipient()): object => ({ to, subject: 'Hi', text: 'Hi' });
  const recovers = async (): Promise<void> => {
    proxy.heal();
    await until('sends are accepted again', async () => (await send(email, tenant.key, fields())).status === 200);
  };
  const expectUnavailable = (answer: Answer): void => {
    expect([answer.status, answer.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  };

  it('causes 503 with Retry-After, and the service recovers automatically', async () => {
    expect((await send(email, tenant.key, fields())).status).toBe(200);
    proxy.cut();
    const startedAt = Date.now();
    expectUnavailable(await send(email, tenant.key, fields()));
    for (const path of ['/email/status?id=01890000-0000-7000-8000-000000000000', '/email/senders', '/email/balance']) {
      expectUnavailable(await call(email, path, { key: tenant.key }));
    }
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    await recovers();
  });

  it('loses no mail and no credit during a send to many recipients', async () => {
    email.mailbox.behave({ delayMs: 30 });
    const to = Array.from({ length: 60 }, () => email.recipient());
    const sending = send(email, tenant.key, fields(to));
    await until('the send is in progress', () => to.some((address) => email.mailbox.mails(address).length > 0));
    proxy.cut();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    proxy.heal();
    await sending;
    email.mailbox.behaviours.reset();
    await until('every recipient has received a mail', () =>
      to.every((address) => email.mailbox.mails(address).length > 0),
    );
    expect(Math.max(...to.map((address) => email.mailbox.mails(address).length))).toBeLessThanOrEqual(2);
    const charged = await email.rows<{ amount: string }>(
      `SELECT sum(amount) AS amount FROM credits.ledger WHERE workspace_id = $1 AND kind = 'refund'`,
      [tenant.workspaceId],
    );
    expect(charged[0]?.amount).toBeNull();
    expect(await reconcile(poolOf(email.tenants.dataSource))).toEqual([]);
  });
});
