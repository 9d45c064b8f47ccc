import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';

interface Report {
  id: string;
  status: string;
  rows: number;
  error: { code: string; message: string } | null;
  filters: Record<string, string>;
  download_url: string | null;
}

describe('reports after the erasure of a person', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    for (const email of ['ann@example.com', 'bob@example.com']) {
      await fixture.call('POST', '/api/v1/contacts', { key: tenant.key, body: { email } });
    }
  });

  const read = (id: string, key = tenant.key) => fixture.v1<Report>('GET', `/api/v1/reports/${id}`, { key });
  const write = async (body: object, key = tenant.key) => {
    const { id } = await fixture.v1<Report>('POST', '/api/v1/reports', { key, body });
    return until('the report is completed', async () => {
      const report = await read(id, key);
      return report.status === 'completed' ? report : null;
    });
  };
  const erase = async (address: string) => {
    const body = { address };
    const answer = await fixture.call<{ erasure: { id: string } }>('POST', '/api/organization/erasures', {
      key: tenant.key,
      body,
    });
    return answer.data.erasure.id;
  };
  const expired = (id: string) =>
    until('the report has expired', async () => {
      const report = await read(id);
      return report.status === 'failed' ? report : null;
    });
  const files = async () => (await readdir(path.join(fixture.reportsFolder, tenant.organizationId))).sort();

  it('that can contain the person have expired, and no others', async () => {
    const contacts = await write({ type: 'contacts' });
    const filtered = await write({ type: 'email_messages', filters: { to: 'Ann@example.com' } });
    const retained = [await write({ type: 'credit_transactions' }), await write({ type: 'sms_messages' })];
    const other = await fixture.tenant();
    const foreign = await write({ type: 'contacts' }, other.key);
    await erase('ann@example.com');
    expect(await expired(contacts.id)).toMatchObject({
      error: { code: 'PERSON_ERASED', message: expect.stringContaining('erased') as string },
      download_url: null,
    });
    await expired(filtered.id);
    // A report can expire before the consumer of the erasure replaces its filters, and before its file is deleted.
    await until('the address is replaced in the filters', async () => {
      const { filters } = await read(filtered.id);
      return filters['to']?.startsWith('erased:');
    });
    await until('the files are deleted', async () => (await files()).length === retained.length);
    expect((await fetch(`${fixture.service.url}${new URL(contacts.download_url!).pathname}`)).status).not.toBe(200);
    expect(await files()).toEqual(retained.map(({ id }) => `${id}.csv`).sort());
    for (const { id } of retained) expect((await read(id)).status).toBe('completed');
    expect((await read(foreign.id, other.key)).status).toBe('completed');
  });

  it('are restarted if they were being written', async () => {
    const { id } = await write({ type: 'contacts' });
    // As if a process were writing it, with the person in what is durable.
    await fixture.database.query(
      `UPDATE analytics.reports SET status = 'running', run_id = gen_random_uuid(), lease_until = now() + interval '1 hour',
         progress = '{"rows": 2, "position": {"id": null, "tie": null}, "file": {"name": "x.part", "bytes": 100, "etags": []}}'
       WHERE id = $1`,
      [id],
    );
    await erase('ann@example.com');
    const report = await until('the report is completed without the person', async () => {
      const one = await read(id);
      return one.status === 'completed' && one.rows === 1 ? one : null;
    });
    expect(report.error).toBeNull();
  });

  it('also expire if they were started before all services had erased the person, but not later', async () => {
    const { ReportRetention } = await import('../src/insight/reports/report-retention');
    const retention = fixture.service.app.get(ReportRetention, { strict: false });
    const erasureId = await erase('ann@example.com');
    await until('account-api has erased the person', async () => {
      const [row] = await fixture.database.query<{ pending: string[] }>(
        'SELECT pending FROM persons.erasures WHERE id = $1',
        [erasureId],
      );
      return !row!.pending.includes('account-api');
    });
    const early = await write({ type: 'campaign', filters: { campaign_id: erasureId } });
    await retention.expireErased();
    expect((await read(early.id)).status).toBe('completed');
    await fixture.database.query('UPDATE persons.erasures SET finished_at = now(), pending = $2 WHERE id = $1', [
      erasureId,
      [],
    ]);
    const late = await write({ type: 'campaign', filters: { campaign_id: erasureId } });
    await retention.expireErased();
    expect((await read(early.id)).status).toBe('failed');
    expect((await read(late.id)).status).toBe('completed');
  });
});
