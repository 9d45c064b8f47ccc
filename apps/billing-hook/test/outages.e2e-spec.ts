import { TcpProxy, testServers, until } from '@heliograph/testing';
import { BillingFixture, newEventId, type BillingTenant } from './billing-fixture';
import { invoiceEvent, subscriptionEvent } from './payment-events';

describe('the payment receiver during a PostgreSQL outage', () => {
  let proxy: TcpProxy;
  let billing: BillingFixture;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.databaseUrl);
    billing = await BillingFixture.start((databaseUrl) => proxy.databaseSettings(databaseUrl));
  });
  afterAll(async () => {
    proxy.heal();
    await billing.stop();
    await proxy.stop();
  });
  afterEach(() => proxy.heal());

  const bodyOf = (tenant: BillingTenant, id: string) =>
    JSON.stringify({ ...subscriptionEvent(tenant, 'created'), object: 'event', id });

  it('acknowledges nothing, returns 503 with Retry-After, and recovers automatically', async () => {
    const tenant = await billing.tenant();
    const id = newEventId();
    proxy.cut();
    const response = await billing.post(bodyOf(tenant, id));
    expect([response.status, response.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    const ready = await fetch(`${billing.service.url}/health/ready`);
    expect(ready.status).toBe(503);
    expect((await fetch(`${billing.service.url}/health/live`)).status).toBe(200);
    proxy.heal();
    await until('events are accepted again', async () => (await billing.post(bodyOf(tenant, id))).status === 200);
    await billing.settled(id);
    expect((await billing.workspace(tenant)).plan).toBe('pro');
  });

  it('loses no acknowledged event when connections break under load, and applies each event once', async () => {
    const tenants = await Promise.all(Array.from({ length: 30 }, () => billing.tenant()));
    const events = tenants.map((tenant) => ({
      ...invoiceEvent(tenant, 'payment_succeeded', {
        lines: { data: [{ id: 'il_1', amount: 1, metadata: { credit_type: 'sms', credits: 5 } }] },
      }),
      id: newEventId(),
    }));
    const open = new Set(events);
    const round = () =>
      Promise.all(
        [...open].map(async (event) => {
          const { status } = await billing.post(JSON.stringify(event));
          if (status === 200) open.delete(event);
          else expect(status).toBe(503);
        }),
      );
    const first = round();
    proxy.cut();
    await first;
    proxy.heal();
    await until('every event was acknowledged', async () => {
      await round();
      return open.size === 0;
    });
    proxy.cut();
    proxy.heal();
    await billing.settled(...events.map(({ id }) => id));
    const rows = await billing.database.query<{ balance: string }>(
      'SELECT balance FROM credits.accounts WHERE workspace_id = ANY($1)',
      [tenants.map(({ workspaceId }) => workspaceId)],
    );
    expect(rows.map(({ balance }) => Number(balance))).toEqual(tenants.map(() => 5));
  });
});

describe('the payment receiver during a RabbitMQ outage', () => {
  it('accepts events, and applies them when the broker is available again', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const billing = await BillingFixture.start({ AMQP_URL: proxy.through(testServers.amqpUrl) });
    try {
      const tenant = await billing.tenant();
      const health = async () => (await fetch(`${billing.service.url}/health/ready`)).text();
      await until('the bus is connected', async () => (await health()).includes('"bus":"ok"'));
      proxy.cut();
      await until('the service has detected the outage', async () => (await health()).includes('"bus":"down"'));
      expect(await health()).toContain('"status":"degraded"');
      expect((await fetch(`${billing.service.url}/health/ready`)).status).toBe(200);
      const id = await billing.send(subscriptionEvent(tenant, 'created'));
      expect((await billing.workspace(tenant)).plan).toBe('free');
      proxy.heal();
      await billing.settled(id);
      expect((await billing.workspace(tenant)).plan).toBe('pro');
    } finally {
      proxy.heal();
      await billing.stop();
      await proxy.stop();
    }
  });
});

describe('the payment receiver without RabbitMQ', () => {
  it('sends its events through PostgreSQL, as in the local stack', async () => {
    const billing = await BillingFixture.start({ AMQP_URL: '' });
    try {
      const tenant = await billing.tenant();
      const event = invoiceEvent(tenant, 'payment_succeeded');
      await billing.settle(event);
      await until('the receipt is created', async () => {
        const rows = await billing.database.query('SELECT FROM billing.receipts');
        return rows.length === 1;
      });
    } finally {
      await billing.stop();
    }
  });
});

describe('the payment receiver that is stopped', () => {
  it('completes requests in progress, and has stored exactly the acknowledged events', async () => {
    const billing = await BillingFixture.shared();
    const stopped = await billing.beside();
    const ids = Array.from({ length: 40 }, newEventId);
    const answers = ids.map((id) =>
      billing.post(JSON.stringify({ id, type: 'x', data: { object: {} } }), { url: stopped.url }).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    const stored = () => billing.database.query('SELECT FROM billing.events WHERE id = ANY($1)', [ids]);
    await until('an event is stored', async () => (await stored()).length > 0);
    await stopped.stop();
    const acknowledged = (await Promise.all(answers)).filter((status) => status === 200).length;
    expect(await stored()).toHaveLength(acknowledged);
  });
});
