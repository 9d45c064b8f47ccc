import { TcpProxy, testServers, until } from '@heliograph/testing';
import { envelope, HookFixture, newNumber, statusOf, textFrom } from './hook-fixture';

describe('an outage of PostgreSQL', () => {
  let proxy: TcpProxy;
  let hook: HookFixture;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.databaseUrl);
    hook = await HookFixture.start((databaseUrl) => proxy.databaseSettings(databaseUrl));
  });
  afterAll(async () => {
    proxy.heal();
    await hook.stop();
    await proxy.stop();
  });
  afterEach(() => proxy.heal());

  it('acknowledges nothing, returns 503 with Retry-After, and recovers without a restart', async () => {
    const tenant = await hook.tenant();
    const sent = await hook.send(tenant);
    const message = textFrom(sent.number, 'stop');
    const body = envelope({ messages: [message], statuses: [statusOf(sent, 'read')] });
    proxy.cut();
    const answer = await hook.post(body);
    expect([answer.status, answer.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${hook.service.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${hook.service.url}/health/live`)).status).toBe(200);
    expect(await hook.consent(tenant, sent.number)).toEqual(['opted_in', 'send']);
    proxy.heal();
    await until('calls are accepted again', async () => (await hook.post(body)).status === 200);
    expect(await hook.consent(tenant, sent.number)).toEqual(['opted_out', 'keyword_stop']);
    expect((await hook.message(sent.id)).status).toBe('read');
  });

  it('still acknowledges calls without updates', async () => {
    proxy.cut();
    expect((await hook.post({ object: 'page' })).status).toBe(200);
  });

  it('loses no acknowledged update when connections break under load, and stores each message once', async () => {
    const open = new Set(Array.from({ length: 60 }, () => textFrom(newNumber())));
    const all = [...open];
    const round = () =>
      Promise.all(
        [...open].map(async (message) => {
          const { status } = await hook.post(envelope({ messages: [message] }));
          if (status === 200) open.delete(message);
          else expect(status).toBe(503);
        }),
      );
    const first = round();
    proxy.cut();
    await first;
    proxy.heal();
    await until('every message was acknowledged', async () => {
      await round();
      return open.size === 0;
    });
    for (const { id } of all) expect(await hook.inbound(id)).toHaveLength(1);
    const published = () => hook.events('chatapp.inbound.received').map(({ data }) => data['chatappMessageId']);
    await until('every event was published', () => all.every(({ id }) => published().includes(id)));
  });
});

describe('an outage of RabbitMQ', () => {
  it('accepts messages, and publishes their events when the broker is available again', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const hook = await HookFixture.start({ AMQP_URL: proxy.through(testServers.amqpUrl) });
    try {
      const health = async () => (await fetch(`${hook.service.url}/health/ready`)).text();
      await until('the broker connection is up', async () => (await health()).includes('"bus":"ok"'));
      const tenant = await hook.tenant();
      const { number } = await hook.send(tenant);
      proxy.cut();
      await until('the service has detected the outage', async () => (await health()).includes('"bus":"down"'));
      const message = textFrom(number, 'stop');
      await hook.take(envelope({ messages: [message] }));
      expect(await hook.consent(tenant, number)).toEqual(['opted_out', 'keyword_stop']);
      proxy.heal();
      await until('the event is published', () =>
        hook.events('chatapp.inbound.received').some(({ data }) => data['chatappMessageId'] === message.id),
      );
    } finally {
      proxy.heal();
      await hook.stop();
      await proxy.stop();
    }
  });
});

describe('the process roles', () => {
  it('let an api process store messages and a worker publish them', async () => {
    const hook = await HookFixture.start({ ROLE: 'api' });
    try {
      const message = textFrom(newNumber());
      await hook.take(envelope({ messages: [message] }));
      const waiting = () => hook.query('SELECT FROM messaging.outbox');
      expect(await waiting()).toHaveLength(1);
      const worker = await hook.beside({ ROLE: 'worker' });
      await until('the worker has published the event', async () => (await waiting()).length === 0);
      await worker.stop();
    } finally {
      await hook.stop();
    }
  });
});

describe('a shutdown of the receiver', () => {
  it('completes calls in progress, and has stored exactly the acknowledged messages', async () => {
    const hook = await HookFixture.shared();
    const stopped = await hook.beside();
    const messages = Array.from({ length: 40 }, () => textFrom(newNumber()));
    const stored = () =>
      hook.query(`SELECT FROM chatapp.messages WHERE direction = 'inbound' AND upstream_id = ANY($1)`, [
        messages.map(({ id }) => id),
      ]);
    const answers = messages.map((message) =>
      hook.post(envelope({ messages: [message] }), { url: stopped.url }).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    await until('a message was stored', async () => (await stored()).length > 0);
    await stopped.stop();
    const acknowledged = (await Promise.all(answers)).filter((status) => status === 200).length;
    expect(await stored()).toHaveLength(acknowledged);
  });
});
