import { reconcile } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { TcpProxy, testServers, unique, until } from '@heliograph/testing';
import { Client } from 'pg';
import { call, codeOf, postJson, postXml, smsRequest, STYLES, type Answer } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('a service during a PostgreSQL outage', () => {
  let proxy: TcpProxy;
  let sms: SmsFixture;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.databaseUrl);
    sms = await SmsFixture.start({
      environment: (databaseUrl) => proxy.databaseSettings(databaseUrl),
    });
  });
  afterAll(async () => {
    proxy.heal();
    await sms.stop();
    await proxy.stop();
  });
  afterEach(() => proxy.heal());

  const fieldsOf = (tenant: SmsTenant) => ({ from: tenant.sender.header, to: sms.recipient(), message: 'x' });
  const send = (tenant: SmsTenant) => postJson(sms, tenant.key, fieldsOf(tenant));
  const recovers = async (tenant: SmsTenant) => {
    proxy.heal();
    await until('sends are accepted again', async () => (await send(tenant)).status === 200);
  };
  const expectUnavailable = (answer: Answer, status = 503) => {
    expect([answer.status, codeOf(answer)]).toEqual([status, 'SERVICE_UNAVAILABLE']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  };

  it('returns 503 with Retry-After in every call style without hanging, and recovers automatically', async () => {
    const tenant = await sms.tenant();
    expect((await send(tenant)).status).toBe(200);
    proxy.cut();
    const started = Date.now();
    for (const style of STYLES) {
      expectUnavailable(await style.send(sms, tenant.key, fieldsOf(tenant)), style.errorStatus(503));
    }
    expectUnavailable(await call(sms, `/sms/status?id=01890000-0000-7000-8000-000000000000`, { key: tenant.key }));
    expectUnavailable(await call(sms, '/sms/senders', { key: tenant.key }));
    expectUnavailable(await call(sms, '/sms/balance', { key: tenant.key }));
    expect(Date.now() - started).toBeLessThan(10_000);
    await recovers(tenant);
  });

  it('returns 503 instead of 401 if a key cannot be looked up', async () => {
    const tenant = await sms.tenant();
    proxy.cut();
    expectUnavailable(await call(sms, '/api/me', { key: `msg_live_${unique()}` }));
    expectUnavailable(await postXml(sms, `msg_live_${unique()}`, smsRequest({ from: 'x' })));
    await recovers(tenant);
  });

  it('is live but not ready', async () => {
    const tenant = await sms.tenant();
    proxy.cut();
    expect((await call(sms, '/health/live')).status).toBe(200);
    const { status, body } = await call(sms, '/health/ready');
    expect(status).toBe(503);
    expect(body['checks']).toMatchObject({ database: 'down' });
    await recovers(tenant);
    expect((await call(sms, '/health/ready')).status).toBe(200);
  });

  it('charges a request exactly once if it is retried with its Idempotency-Key during an outage', async () => {
    const tenant = await sms.tenant({ credits: 100 });
    const calls = Array.from({ length: 20 }, () => ({ key: unique(), fields: fieldsOf(tenant), done: false }));
    const round = () =>
      Promise.all(
        calls.map(async (one) => {
          if (one.done) return;
          const answer = await postJson(sms, tenant.key, one.fields, { headers: { 'Idempotency-Key': one.key } });
          one.done = answer.status === 200;
          if (!one.done) expect([409, 503]).toContain(answer.status);
        }),
      );
    const first = round();
    proxy.cut();
    await first;
    proxy.heal();
    await until('every call was answered', async () => {
      await round();
      return calls.every(({ done }) => done);
    });
    expect((await call(sms, '/sms/balance', { key: tenant.key })).body['balance']).toBe(80);
    expect(await reconcile(poolOf(sms.tenants.dataSource))).toEqual([]);
  });

  it('delivers messages accepted before the outage', async () => {
    const tenant = await sms.tenant();
    const to = sms.recipient();
    const at = new Date(Date.now() + 2_000).toISOString();
    const { body } = await postJson(sms, tenant.key, { ...fieldsOf(tenant), to, scheduledAt: at });
    proxy.cut();
    await until('the scheduled time has passed', () => Date.now() > Date.parse(at));
    await recovers(tenant);
    await until('the message is delivered', async () => {
      const status = await call(sms, `/sms/status?id=${String(body['messageId'])}`, { key: tenant.key });
      return status.body['status'] === 'delivered';
    });
    expect(sms.carrier.messages(to)).toHaveLength(1);
  });

  it('returns 503 without a charge while one balance is locked, and serves other workspaces', async () => {
    const tenant = await sms.tenant({ credits: 5 });
    await send(tenant);
    const holder = new Client({ connectionString: sms.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM credits.accounts WHERE workspace_id = $1 FOR UPDATE', [tenant.workspaceId]);
      expectUnavailable(await send(tenant));
      const reads = await call(sms, '/sms/senders', { key: tenant.key });
      expect(reads.status).toBe(200);
      await holder.query('ROLLBACK');
    } finally {
      await holder.end();
    }
    expect((await send(tenant)).body['creditsRemaining']).toBe(3);
  });
});
