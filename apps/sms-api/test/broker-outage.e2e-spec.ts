import { TcpProxy, testServers, until } from '@heliograph/testing';
import { call, postJson } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('a service during a RabbitMQ outage', () => {
  let proxy: TcpProxy;
  let sms: SmsFixture;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.amqpUrl);
    sms = await SmsFixture.start({ environment: { AMQP_URL: proxy.through(testServers.amqpUrl) } });
  });
  afterAll(async () => {
    await sms.stop();
    await proxy.stop();
  });
  afterEach(() => proxy.heal());

  const send = async (tenant: SmsTenant, to: string) => {
    const answer = await postJson(sms, tenant.key, { from: tenant.sender.header, to, message: 'x' });
    expect(answer.status).toBe(200);
    return String(answer.body['messageId']);
  };
  const statusOf = async (tenant: SmsTenant, id: string) =>
    (await call(sms, `/sms/status?id=${id}`, { key: tenant.key })).body['status'];
  const busCheck = async () => ((await call(sms, '/health/ready')).body['checks'] as { bus: string }).bus;

  it('accepts messages, stays ready and delivers each message once after recovery', async () => {
    const tenant = await sms.tenant();
    proxy.cut();
    await until('the service has detected the outage', async () => (await busCheck()) === 'down');
    expect((await call(sms, '/health/ready')).status).toBe(200);
    const recipients = Array.from({ length: 10 }, () => sms.recipient());
    const ids = await Promise.all(recipients.map((to) => send(tenant, to)));
    for (const id of ids) expect(await statusOf(tenant, id)).toBe('queued');
    expect(recipients.flatMap((to) => sms.carrier.messages(to))).toEqual([]);
    proxy.heal();
    for (const id of ids)
      await until('the message is delivered', async () => (await statusOf(tenant, id)) === 'delivered');
    for (const to of recipients) expect(sms.carrier.messages(to)).toHaveLength(1);
    expect(await busCheck()).toBe('ok');
  });

  it('loses and duplicates no message when connections break repeatedly under load', async () => {
    const tenant = await sms.tenant();
    const recipients = Array.from({ length: 60 }, () => sms.recipient());
    const ids: string[] = [];
    for (const [i, to] of recipients.entries()) {
      ids.push(await send(tenant, to));
      if (i % 20 === 10) {
        proxy.cut();
        proxy.heal();
      }
    }
    for (const id of ids)
      await until('the message is delivered', async () => (await statusOf(tenant, id)) === 'delivered');
    expect(recipients.map((to) => sms.carrier.messages(to).length)).toEqual(recipients.map(() => 1));
    expect((await call(sms, '/sms/balance', { key: tenant.key })).body['balance']).toBe(940);
  });

  it('starts without the broker and connects later', async () => {
    const tenant = await sms.tenant();
    proxy.cut();
    await sms.restart();
    const to = sms.recipient();
    const id = await send(tenant, to);
    expect(await busCheck()).toBe('down');
    proxy.heal();
    await until('the message is delivered', async () => (await statusOf(tenant, id)) === 'delivered');
    expect(sms.carrier.messages(to)).toHaveLength(1);
  });
});

describe('a service without RabbitMQ', () => {
  it('sends its events through PostgreSQL, as in the local stack', async () => {
    const sms = await SmsFixture.start({ environment: { AMQP_URL: '' } });
    try {
      const tenant = await sms.tenant();
      const answer = await postJson(sms, tenant.key, {
        from: tenant.sender.header,
        to: sms.recipient(),
        message: 'x',
      });
      await until('the message is delivered', async () => {
        const { body } = await call(sms, `/sms/status?id=${String(answer.body['messageId'])}`, { key: tenant.key });
        return body['status'] === 'delivered';
      });
    } finally {
      await sms.stop();
    }
  });
});
