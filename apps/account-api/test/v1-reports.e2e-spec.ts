import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';
import { CountedTraffic } from './counted-traffic';
import { endLease } from './end-lease';
import { ObjectStorage } from './object-storage';
import { ReportCalls, type Report } from './report-calls';

describe('/api/v1/reports', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let traffic: CountedTraffic;
  let reports: ReportCalls;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    traffic = new CountedTraffic(fixture, tenant);
    reports = new ReportCalls(fixture, tenant);
  });

  it('queues a report, which a worker writes and a signed link downloads', async () => {
    await traffic.sms({ status: 'failed', error: '=cmd|calc' });
    await traffic.sms();
    const queued = await reports.create({ type: 'sms_messages' });
    expect(queued).toMatchObject({ type: 'sms_messages', format: 'csv', rows: 0, download_url: null });
    const report = await reports.completed(queued.id);
    const content = await reports.download(report);
    expect(report).toMatchObject({ rows: 2, bytes: content.length });
    expect(Date.parse(report.expires_at!) - Date.now()).toBeGreaterThan(3_500_000);
    expect(Date.parse(report.expires_at!) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const [header, ...lines] = content.toString().trimEnd().split('\r\n');
    expect(header).toBe(
      'id,status,to,sender_id,sender,template_id,message,encoding,segments,credits_cost,flash,campaign_id,reference,error,' +
        'scheduled_at,created_at,sent_at,delivered_at',
    );
    expect(lines).toHaveLength(2);
    const answer = await fetch(reports.linkOf(report));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="sms_messages.csv"',
      'x-content-type-options': 'nosniff',
    });
    expect(await fixture.database.query('SELECT action FROM audit.entries WHERE target_id = $1', [report.id])).toEqual([
      { action: 'report.created' },
    ]);
  });

  it('treats null as absent', async () => {
    const body = { type: 'sms_messages', from: null, until: null, filters: null, format: null, workspace_id: null };
    expect(await reports.create(body)).toMatchObject({ status: 'queued', format: 'csv', filters: {}, from: null });
  });

  it('rejects links that were modified, are expired, or belong to another report', async () => {
    const { report } = await reports.reportOf({ type: 'sms_messages' });
    const { report: other } = await reports.reportOf({ type: 'contacts' });
    const link = new URL(reports.linkOf(report));
    const changed = (change: (url: URL) => void) => {
      const url = new URL(link);
      change(url);
      return url;
    };
    for (const url of [
      changed(({ searchParams }) => searchParams.set('expires', '9999999999')),
      changed(({ searchParams }) => searchParams.delete('signature')),
      changed(({ searchParams }) => searchParams.append('signature', 'x')),
      changed((one) => (one.pathname = one.pathname.replace(report.id, other.id))),
      changed((one) => (one.pathname = one.pathname.replace(report.id, newId()))),
      changed((one) => (one.pathname = one.pathname.replace(report.id, '..%2F..%2Fetc'))),
    ]) {
      const answer = await fetch(url);
      expect([url.href, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        url.href,
        403,
        'FORBIDDEN',
      ]);
    }
  });

  it('lists reports newest first, in pages', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.unshift((await reports.create({ type: 'contacts' })).id);
    const list = (query: string) =>
      fixture.v1<{
        data: Report[];
        next_cursor?: string;
      }>('GET', `/api/v1/reports?${query}`, { key: tenant.key });
    const first = await list('limit=2');
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    expect({ ids: second.data.map(({ id }) => id), next: second.next_cursor }).toEqual({
      ids: ids.slice(2),
      next: undefined,
    });
  });

  it('runs at most three reports of an organization concurrently, without delaying other organizations', async () => {
    await fixture.database.query(
      `INSERT INTO analytics.reports (id, organization_id, type, format, before, status, run_id, lease_until)
       SELECT gen_random_uuid(), $1, 'contacts', 'csv', now(), 'running', gen_random_uuid(), now() + interval '1 hour'
       FROM generate_series(1, 3)`,
      [tenant.organizationId],
    );
    const { id } = await reports.create({ type: 'contacts' });
    const other = await fixture.tenant();
    await reports.completed((await reports.create({ type: 'contacts' }, other.key)).id, other.key);
    expect((await reports.read(id)).status).toBe('queued');
    // Simulates a killed worker: the lease of one report ends, and both reports are written.
    await fixture.database.query(
      `UPDATE analytics.reports SET lease_until = now() - interval '1 second'
       WHERE id = (SELECT id FROM analytics.reports WHERE organization_id = $1 AND status = 'running' LIMIT 1)`,
      [tenant.organizationId],
    );
    await reports.completed(id);
    const states = await fixture.database.query<{ status: string; count: number }>(
      `SELECT status, count(*)::int FROM analytics.reports WHERE organization_id = $1 GROUP BY status ORDER BY status`,
      [tenant.organizationId],
    );
    await until('the report of the killed worker is completed', async () => (await listStates())['completed'] === 2);
    expect(states.map(({ status }) => status)).toContain('running');
  });
  const listStates = async () => {
    const rows = await fixture.database.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int FROM analytics.reports WHERE organization_id = $1 GROUP BY status',
      [tenant.organizationId],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };

  it('deletes files after their retention', async () => {
    const { report } = await reports.reportOf({ type: 'contacts' });
    expect(await readdir(path.join(fixture.reportsFolder, tenant.organizationId))).toEqual([`${report.id}.csv`]);
    await fixture.database.query(`UPDATE analytics.reports SET created_at = now() - interval '31 days' WHERE id = $1`, [
      report.id,
    ]);
    const { ReportRetention } = await import('../src/insight/reports/report-retention');
    await fixture.service.app.get(ReportRetention, { strict: false }).deleteOld();
    expect(await readdir(path.join(fixture.reportsFolder, tenant.organizationId))).toEqual([]);
    expect((await fetch(reports.linkOf(report))).status).toBe(403);
    expect((await fixture.call('GET', `/api/v1/reports/${report.id}`, { key: tenant.key })).status).toBe(404);
  });

  it('limits a bound key to its workspace', async () => {
    const second = await fixture.factory.workspace(tenant.organizationId);
    await traffic.sms();
    await new CountedTraffic(fixture, tenant, second.id).sms();
    const bound = await fixture.factory.key(tenant.organizationId, { workspaceId: second.id });
    const { id } = await reports.create({ type: 'sms_messages' }, bound);
    expect((await reports.completed(id, bound)).rows).toBe(1);
    expect((await reports.completed((await reports.create({ type: 'sms_messages' })).id)).rows).toBe(2);
    const whole = (await reports.create({ type: 'sms_messages' })).id;
    expect((await fixture.call('GET', `/api/v1/reports/${whole}`, { key: bound })).status).toBe(404);
    expect((await reports.create({ type: 'contacts' }, bound)).status).toBe(403);
    expect((await reports.create({ type: 'sms_messages', workspace_id: tenant.workspace.id }, bound)).status).toBe(404);
  });

  it.each([
    ['type', {}],
    ['type', { type: 'passwords' }],
    ['format', { type: 'contacts', format: 'pdf' }],
    ['from', { type: 'contacts', from: 'yesterday' }],
    ['until', { type: 'contacts', from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
    ['filters', { type: 'contacts', filters: 'all' }],
    ['filters.status', { type: 'contacts', filters: { status: 'sent' } }],
    ['filters.status', { type: 'sms_messages', filters: { status: 'read' } }],
    ['filters.to', { type: 'sms_messages', filters: { to: ['+919811111111'] } }],
    ['filters.__proto__', { type: 'sms_messages', filters: JSON.parse('{"__proto__": "x"}') as object }],
    ['filters.campaign_id', { type: 'campaign' }],
  ])('rejects an invalid %s: %j', async (field, body) => {
    const answer = await reports.create(body);
    expect({ status: answer.status, code: answer.error?.code, fields: answer.fields?.map((one) => one.field) }).toEqual(
      {
        status: 400,
        code: 'INVALID_REQUEST',
        fields: [field],
      },
    );
  });

  it('returns the same report for a repeated Idempotency-Key', async () => {
    const call = () =>
      fixture.v1<Report>('POST', '/api/v1/reports', {
        key: tenant.key,
        body: { type: 'contacts' },
        headers: { 'idempotency-key': 'report-1' },
      });
    const first = await call();
    expect((await call()).id).toBe(first.id);
  });
});

describe('/api/v1/reports in object storage', () => {
  it('stores files under the prefix, and retries when the storage returns errors', async () => {
    const storage = await ObjectStorage.start();
    const fixture = await AccountFixture.start({ REPORTS_S3_URL: storage.url });
    try {
      const tenant = await fixture.tenant();
      await new CountedTraffic(fixture, tenant).sms();
      storage.isBroken = true;
      const body = { type: 'sms_messages', format: 'ndjson' };
      const { id } = await fixture.v1<Report>('POST', '/api/v1/reports', { key: tenant.key, body });
      const state = () => fixture.v1<Report>('GET', `/api/v1/reports/${id}`, { key: tenant.key });
      await until('the storage has refused the file', async () => storage.refused > 0);
      expect(await state()).toMatchObject({ status: 'running' });
      storage.isBroken = false;
      await endLease(fixture.database, id);
      const report = await until('the report is completed', async () => {
        const one = await state();
        return one.status === 'completed' ? one : null;
      });
      expect([...storage.objects.keys()]).toEqual([`/bucket/reports/${tenant.organizationId}/${id}.ndjson`]);
      const { pathname, search } = new URL(report.download_url!);
      const content = await (await fetch(`${fixture.service.url}${pathname}${search}`)).text();
      expect(JSON.parse(content)).toMatchObject({ status: 'delivered', to: '+919811111111' });
      expect(report.bytes).toBe(Buffer.byteLength(content));
    } finally {
      await fixture.stop();
      await storage.stop();
    }
  });
});
