import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';
import { CountedTraffic } from './counted-traffic';
import { endLease } from './end-lease';
import { ObjectStorage } from './object-storage';
import { makePartitions } from './stored-messages';

interface Report {
  id: string;
  status: string;
  rows: number;
  bytes: number;
  error: { code: string; message: string } | null;
  filters: Record<string, string>;
  download_url: string | null;
}

/** Calls of one tenant, and its reports. */
class Reports {
  constructor(
    private readonly fixture: AccountFixture,
    private readonly tenant: Tenant,
  ) {}

  async create(body: object): Promise<string> {
    const { key } = this.tenant;
    return (await this.fixture.v1<Report>('POST', '/api/v1/reports', { key, body })).id;
  }

  read(id: string): Promise<Report> {
    return this.fixture.v1('GET', `/api/v1/reports/${id}`, { key: this.tenant.key });
  }

  completed(id: string): Promise<Report> {
    return until('the report is completed', async () => {
      const report = await this.read(id);
      return report.status === 'completed' ? report : null;
    });
  }

  /** Messages with texts of 4,000 characters. */
  async storeMessages(count: number, text = `string_agg(repeat('x', 32), '')`): Promise<void> {
    const { organizationId, workspace } = this.tenant;
    await makePartitions(this.fixture.database, ['sms.messages', 'sms.parts']);
    await this.fixture.database.query(
      `INSERT INTO sms.messages (id, organization_id, workspace_id, sender_id, created_at, credits_cost, segments, submits,
         flash, status, encoding, country, header, recipient, body)
       SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5($1::text || n), 1, 15))::uuid,
         $1::uuid, $2, $2, now(), 1, 1, 1, false, 'sent', 'gsm-7', 'IN', 'X', '+919811111111',
         (SELECT ${text} FROM generate_series(1, 125) AS piece WHERE n IS NOT NULL)
       FROM generate_series(1, $3::int) AS n`,
      [organizationId, workspace.id, count],
    );
  }

  /** As if a process that was killed in this attempt had stored this progress. */
  async killed(body: { type: string; format: string }, progress: object | null, attempt = 1): Promise<string> {
    const id = newId();
    await this.fixture.database.query(
      `INSERT INTO analytics.reports (id, organization_id, type, format, before, status, run_id, lease_until, progress, started_at, attempts)
       VALUES ($1, $2, $3, $4, now(), 'running', $5, now() - interval '1 second', $6, now(), $7)`,
      [id, this.tenant.organizationId, body.type, body.format, newId(), progress && JSON.stringify(progress), attempt],
    );
    return id;
  }
}

describe('a report whose process was killed', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let reports: Reports;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    reports = new Reports(fixture, tenant);
  });

  const files = () => readdir(path.join(fixture.reportsFolder, tenant.organizationId));
  const fileOf = (id: string, format: string) =>
    readFile(path.join(fixture.reportsFolder, tenant.organizationId, `${id}.${format}`), 'utf8');
  const storePart = (id: string, content: string) =>
    writeFile(path.join(fixture.reportsFolder, tenant.organizationId, id), content);
  /** The whole file of another report, and what a process had stored of it when it was killed after some rows. */
  const interrupted = async (format: 'csv' | 'ndjson', rows: number) => {
    const traffic = new CountedTraffic(fixture, tenant);
    for (let message = 0; message < 5; message++) await traffic.sms();
    const whole = await fileOf(
      (await reports.completed(await reports.create({ type: 'sms_messages', format }))).id,
      format,
    );
    const lines = whole.split(/(?<=\n)/);
    const retained = lines.slice(0, rows + (format === 'csv' ? 1 : 0)).join('');
    const id = /[0-9a-f-]{36}/.exec(lines[rows - (format === 'csv' ? 0 : 1)]!)![0];
    return { whole, retained, position: { id, tie: null } };
  };

  it.each(['csv', 'ndjson'] as const)('goes on behind the last durable row of a %s file', async (format) => {
    const { whole, retained, position } = await interrupted(format, 2);
    // What is durable is not written again: a marker in it remains. The last line was cut.
    const marked = retained.replace('delivered', 'DURABLE!!');
    await storePart('old.part', `${marked}{"id":"half of a li`);
    const file = { name: 'old.part', bytes: Buffer.byteLength(marked), etags: [] };
    const id = await reports.killed({ type: 'sms_messages', format }, { rows: 2, position, file });
    expect(await reports.completed(id)).toMatchObject({ rows: 5, bytes: Buffer.byteLength(whole) });
    expect(await fileOf(id, format)).toBe(marked + whole.slice(retained.length));
    expect((await files()).filter((name) => name.startsWith(id))).toEqual([`${id}.${format}`]);
  });

  it('begins again if its part is lost, or shorter than it was', async () => {
    const { whole, retained, position } = await interrupted('csv', 2);
    await storePart('short.part', retained.slice(0, -1));
    for (const name of ['lost.part', 'short.part', '../../escaped.part']) {
      const progress = { rows: 2, position, file: { name, bytes: Buffer.byteLength(retained), etags: [] } };
      const id = await reports.killed({ type: 'sms_messages', format: 'csv' }, progress);
      expect(await reports.completed(id)).toMatchObject({ rows: 5 });
      expect(await fileOf(id, 'csv')).toBe(whole);
    }
  });

  it.each(['credit_transactions', 'contacts', 'email_events'])('goes on in a report of %s', async (type) => {
    const second = await fixture.factory.workspace(tenant.organizationId, { credits: { sms: 7 } });
    for (const workspace of [tenant.workspace, second]) await fixture.factory.topUp(workspace, 'email', 5);
    for (let index = 0; index < 3; index++) {
      const body = { email: `person-${index}@example.com` };
      await fixture.call('POST', '/api/v1/contacts', { key: tenant.key, body });
    }
    const traffic = new CountedTraffic(fixture, tenant);
    await traffic.email([['ann@example.com', 'sent', 'delivered', 'delivered', 'opened', 'clicked']]);
    const { ReportLeases } = await import('../src/insight/reports/report-leases');
    const { REPORT_SOURCES } = await import('../src/insight/reports/sources');
    const id = await reports.create({ type, format: 'ndjson' });
    const { rows: total } = await reports.completed(id);
    expect(total).toBeGreaterThan(1);
    const pool = (fixture.service.app.get(ReportLeases, { strict: false }) as unknown as { pool: never }).pool;
    const [stored] = await fixture.database.query<Record<string, unknown>>(
      `SELECT organization_id AS "organizationId", NULL AS "workspaceId", filters, since, before FROM analytics.reports WHERE id = $1`,
      [id],
    );
    const source = REPORT_SOURCES[type as 'contacts'];
    const read: unknown[] = [];
    for await (const { rows, position } of source.batches(pool, stored as never, null)) {
      read.push(...rows);
      // Nothing follows the last row of a batch within it, and everything that does is in later ones.
      const later: unknown[] = [];
      for await (const batch of source.batches(pool, stored as never, position)) later.push(...batch.rows);
      expect(read.length + later.length).toBe(total);
    }
    expect(read).toHaveLength(total);
  });

  it('fails if its process was killed in the last attempt', async () => {
    const report = { type: 'sms_messages', format: 'csv' };
    const last = await reports.killed(report, null, 5);
    const fourth = await reports.killed(report, null, 4);
    await reports.completed(fourth);
    expect(await reports.read(last)).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR', message: 'The report could not be written. Try again later.' },
      download_url: null,
    });
  });

  it('begins a workbook again', async () => {
    await new CountedTraffic(fixture, tenant).sms();
    const progress = { rows: 9, position: { id: newId(), tie: null }, file: { name: 'x.part', bytes: 9, etags: [] } };
    const id = await reports.killed({ type: 'sms_messages', format: 'xlsx' }, progress);
    expect(await reports.completed(id)).toMatchObject({ rows: 1 });
  });
});

describe('a report in object storage whose process was interrupted', () => {
  let storage: ObjectStorage;
  let fixture: AccountFixture;
  let tenant: Tenant;
  let reports: Reports;
  beforeAll(async () => {
    storage = await ObjectStorage.start();
    fixture = await AccountFixture.start({ REPORTS_S3_URL: storage.url });
  });
  beforeEach(async () => {
    storage.partsStored = storage.refused = 0;
    tenant = await fixture.tenant();
    reports = new Reports(fixture, tenant);
  });
  afterAll(async () => {
    await fixture.stop();
    await storage.stop();
  });

  it('goes on after the last part, with every row once', async () => {
    await reports.storeMessages(5_000);
    storage.partsUntilBroken = 1;
    const id = await reports.create({ type: 'sms_messages', format: 'ndjson' });
    const progress = await until('the first part is durable and the second was refused', async () => {
      const [row] = await fixture.database.query<{ rows: number }>(
        `SELECT (progress ->> 'rows')::int AS rows FROM analytics.reports WHERE id = $1 AND progress IS NOT NULL`,
        [id],
      );
      return storage.refused > 0 && row ? row : null;
    });
    expect(progress.rows).toBeGreaterThan(1_000);
    expect(progress.rows).toBeLessThan(5_000);
    storage.partsUntilBroken = Infinity;
    await endLease(fixture.database, id);
    expect(await reports.completed(id)).toMatchObject({ rows: 5_000 });
    const content = storage.objects.get(`/bucket/reports/${tenant.organizationId}/${id}.ndjson`)!;
    const ids = content
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toHaveLength(5_000);
    expect(new Set(ids).size).toBe(5_000);
    // 20 MB are three parts; the first was stored once.
    expect(storage.partsStored).toBe(3);
    expect(storage.uploads.size).toBe(0);
  });

  it('leaves no part of a workbook', async () => {
    // Random text, which compression does not make small.
    await reports.storeMessages(4_000, `string_agg(md5(random()::text), '')`);
    storage.partsUntilBroken = 0;
    await reports.create({ type: 'sms_messages', format: 'xlsx' });
    await until('the first part was refused', async () => storage.refused > 0);
    await until('the upload is aborted', async () => storage.uploads.size === 0);
    storage.partsUntilBroken = Infinity;
  });

  it('begins again if the storage has dropped the upload', async () => {
    await reports.storeMessages(3);
    const file = { name: 'dropped', bytes: 10_000_000, etags: ['"1"'] };
    const progress = { rows: 2, position: { id: newId(), tie: null }, file };
    const id = await reports.killed({ type: 'sms_messages', format: 'csv' }, progress);
    expect(await reports.completed(id)).toMatchObject({ rows: 3 });
  });
});
