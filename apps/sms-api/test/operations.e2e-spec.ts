import { until } from '@heliograph/testing';
import { call, postJson } from './calls';
import { SmsFixture } from './sms-fixture';

const NAMES = [
  'http_request_duration_seconds',
  'http_requests_refused_total',
  'outbox_backlog',
  'relay_published_total',
  'relay_refused_total',
  'sms_accepted_total',
  'sms_carrier_bind_refusals_total',
  'sms_carrier_connection_failures_total',
  'sms_carrier_binds_up',
  'sms_carrier_receivers_up',
  'sms_carrier_submit_rate',
  'sms_carrier_window_size',
  'sms_carrier_window_used',
  'sms_group_commit_size',
  'sms_queue_depth',
  'sms_receipts_unmatched',
  'sms_submits_total',
  'nodejs_eventloop_lag_seconds',
  'process_resident_memory_bytes',
];

describe('health and metrics', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.start();
  });
  afterAll(() => sms.stop());

  const metrics = async () => (await call(sms, '/metrics')).text;
  /** Returns the sum of all samples of a metric whose labels contain `labels`. */
  const read = (text: string, name: string, labels = '') =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);

  it('reports liveness at GET /health/live', async () => {
    const { status, body } = await call(sms, '/health/live');
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });

  it('reports readiness under its own name only', async () => {
    expect(await call(sms, '/health/ready/sms-api')).toMatchObject({
      status: 200,
      body: { checks: { database: 'ok' } },
    });
    expect(await call(sms, '/health/ready/email-api')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('reports readiness and its dependencies at GET /health/ready', async () => {
    const body = await until('the carrier is bound', async () => {
      const answer = await call(sms, '/health/ready');
      return !JSON.stringify(answer.body).includes('down') && answer.body;
    });
    expect(body).toEqual({
      status: 'ok',
      checks: {
        redis: 'ok',
        database: 'ok',
        bus: 'ok',
        'carrier simulator': 'ok',
        'oldest sms': 'ok',
      },
    });
  });

  it.each(NAMES)('exports %s', async (name) => {
    expect(await metrics()).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`, 'm'));
  });

  it('row 31: every metric named _total is a counter, and every counter is named _total', async () => {
    for (const [, name, type] of (await metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      expect([name, type === 'counter']).toEqual([name, name?.endsWith('_total')]);
    }
  });

  it('counts accepted, rejected, published and submitted messages', async () => {
    const tenant = await sms.tenant({ credits: 1 });
    const before = await metrics();
    const send = () => postJson(sms, tenant.key, { from: tenant.sender.header, to: sms.recipient(), message: 'x' });
    const { body } = await send();
    expect((await send()).status).toBe(402);
    await until('the message is delivered', async () => {
      const status = await call(sms, `/sms/status?id=${String(body['messageId'])}`, { key: tenant.key });
      return status.body['status'] === 'delivered';
    });
    const grown =
      (name: string, labels = '') =>
      async () =>
        read(await metrics(), name, labels) - read(before, name, labels);
    await until('all events are published', async () => (await grown('relay_published_total')()) >= 4);
    expect(await grown('sms_accepted_total')()).toBe(1);
    expect(await grown('http_requests_refused_total', 'code="INSUFFICIENT_CREDITS"')()).toBe(1);
    expect(await grown('http_request_duration_seconds_count', 'method="POST",route="/sms/send",status="402"')()).toBe(
      1,
    );
    expect(await grown('sms_group_commit_size_sum')()).toBe(2);
    expect(await grown('sms_submits_total', 'outcome="accepted"')()).toBe(1);
    expect(read(await metrics(), 'sms_carrier_binds_up')).toBeGreaterThan(0);
    expect(read(await metrics(), 'sms_carrier_window_size')).toBeGreaterThan(0);
    await until('the outbox is empty', async () => read(await metrics(), 'sms_queue_depth') === 0);
  });

  it('exposes no tenant and no secret in its metrics', async () => {
    const tenant = await sms.tenant();
    await call(sms, '/api/me', { key: tenant.key });
    const text = await metrics();
    for (const secret of [tenant.key, tenant.organizationId, tenant.workspaceId]) expect(text).not.toContain(secret);
  });

  it('is not ready during shutdown and completes requests in progress', async () => {
    const own = await sms.beside();
    const tenant = await own.tenant();
    const answers = Array.from({ length: 20 }, () =>
      postJson(own, tenant.key, { from: tenant.sender.header, to: own.recipient(), message: 'x' }).then(
        ({ status }) => status,
        () => 'no connection',
      ),
    );
    await until(
      'a message was accepted',
      async () => read((await call(own, '/metrics')).text, 'sms_accepted_total') > 0,
    );
    await own.service.stop();
    const accepted = (await Promise.all(answers)).filter((status) => status === 200).length;
    const [row] = await own.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM sms.messages WHERE organization_id = $1',
      [tenant.organizationId],
    );
    expect(row?.count).toBe(accepted);
  });
});
