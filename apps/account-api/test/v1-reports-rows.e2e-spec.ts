import { newId } from '@heliograph/database';
import { Workbook } from 'exceljs';
import { AccountFixture, type Tenant } from './account-fixture';
import { CountedTraffic } from './counted-traffic';
import { ReportCalls } from './report-calls';
import { storeChatapp } from './stored-messages';

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

  const write = (path: string, body: object) =>
    fixture.call<{ sender: { id: string } }>('POST', `/api/organization/${path}`, { key: tenant.key, body });
  const emailSender = async (address: string) => (await write('email/senders', { address })).data.sender.id;

  it('writes no formulas to CSV and XLSX files', async () => {
    const email = `ann-${newId()}@example.com`;
    const body = {
      email,
      first_name: '=HYPERLINK("http://x","y")',
      last_name: '+1+1',
      attributes: { note: '@SUM(1)' },
    };
    await fixture.call('POST', '/api/v1/contacts', { key: tenant.key, body });
    const csv = (await reports.reportOf({ type: 'contacts' })).content.toString();
    expect(csv).toContain(`"'=HYPERLINK(""http://x"",""y"")",'+1+1`);
    const workbook = new Workbook();
    await workbook.xlsx.load((await reports.reportOf({ type: 'contacts', format: 'xlsx' })).content as never);
    const [, names, cells] = workbook.worksheets[0]!.getSheetValues() as (unknown[] | undefined)[];
    expect(names!.slice(1, 5)).toEqual(['id', 'email', 'phone', 'first_name']);
    expect(cells!.slice(2, 6)).toEqual([email, undefined, `'=HYPERLINK("http://x","y")`, `'+1+1`]);
    const [row] = await reports.rowsOf({ type: 'contacts' });
    expect(row).toMatchObject({ email, first_name: body.first_name, attributes: body.attributes, groups: [] });
  });

  it('finds contacts by a prefix as their list does', async () => {
    for (const [email, first_name] of [
      ['ann@example.com', 'Zoe'],
      ['zed@example.com', '50%_off'],
      ['bob@example.com', '50 off'],
    ]) {
      await fixture.call('POST', '/api/v1/contacts', { key: tenant.key, body: { email, first_name } });
    }
    for (const [search, emails] of [
      ['Z', ['zed@example.com', 'ann@example.com']],
      ['50%_', ['zed@example.com']],
      ['\\', []],
    ] as const) {
      const found = await reports.rowsOf({ type: 'contacts', filters: { search } });
      expect(found.map(({ email }) => email)).toEqual(emails);
    }
    const filters = { created_after: '2020-01-01T00:00:00+23:59' };
    expect(await reports.rowsOf({ type: 'contacts', filters })).toHaveLength(3);
  });

  it('has a type for each list, with the names of its fields', async () => {
    const campaignId = newId();
    await traffic.sms({ campaignId });
    await traffic.email([['ann@example.com', 'sent', 'delivered', 'delivered', 'opened']], { tags: ['news'] });
    await storeChatapp(fixture, tenant.organizationId, tenant.workspace.id);
    expect(await reports.rowsOf({ type: 'email_messages', filters: { tag: 'news' } })).toMatchObject([
      {
        from: 'hello@demo.example',
        to: ['ann@example.com'],
        status: 'delivered',
        counts: { recipients: 1, opened: 1 },
      },
    ]);
    expect(await reports.rowsOf({ type: 'email_messages', filters: { tag: 'other' } })).toEqual([]);
    await write('email/domains', { name: 'demo.example' });
    const senders = [await emailSender('hello@demo.example'), await emailSender('other@demo.example')];
    const found = senders.map((id) => reports.rowsOf({ type: 'email_messages', filters: { sender_id: id } }));
    expect((await Promise.all(found)).map(({ length }) => length)).toEqual([1, 0]);
    expect(await reports.rowsOf({ type: 'email_events', filters: { type: 'opened' } })).toMatchObject([
      { to: 'ann@example.com', type: 'opened', url: null },
    ]);
    expect(await reports.rowsOf({ type: 'chatapp_messages' })).toMatchObject([
      { direction: 'outbound', status: 'read', to: '+919811111111', credits_cost: 40 },
    ]);
    expect(await reports.rowsOf({ type: 'credit_transactions', filters: { credit_type: 'sms' } })).toMatchObject([
      { kind: 'charge', amount: -2, workspace_id: tenant.workspace.id, description: 'Charge of a message' },
    ]);
    expect(await reports.rowsOf({ type: 'campaign', filters: { campaign_id: campaignId } })).toMatchObject([
      { channel: 'sms', to: '+919811111111', status: 'delivered', segments: 2, opened: null },
    ]);
  });

  it('reads all rows once, in batches, within the half-open range', async () => {
    await traffic.sms({ createdAt: new Date('2026-11-01T00:00:00Z') });
    await traffic.sms({ createdAt: new Date('2026-11-02T00:00:00Z') });
    await fixture.database.query(
      `INSERT INTO sms.messages (id, organization_id, workspace_id, sender_id, created_at, credits_cost, segments, submits,
         flash, status, encoding, country, header, recipient, body)
       SELECT encode(set_byte(set_byte(decode(replace(m.id::text, '-', ''), 'hex'), 14, n / 250), 15, n % 250), 'hex')::uuid,
         m.organization_id, m.workspace_id, m.sender_id, m.created_at, 1, 1, 1, false, 'sent', 'gsm-7', 'IN', 'X', '+919811111111', n::text
       FROM sms.messages AS m CROSS JOIN generate_series(1, 2500) AS n
       WHERE m.organization_id = $1 AND m.created_at = '2026-11-01T00:00:00Z' ON CONFLICT DO NOTHING`,
      [tenant.organizationId],
    );
    const rows = await reports.rowsOf({
      type: 'sms_messages',
      from: '2026-11-01T00:00:00Z',
      until: '2026-11-02T00:00:00Z',
      filters: { status: 'sent', to: '+919811111111' },
    });
    const stored = await fixture.database.query(
      `SELECT FROM sms.messages WHERE organization_id = $1 AND status = 'sent'`,
      [tenant.organizationId],
    );
    expect(stored.length).toBeGreaterThan(2_490);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(stored.length);
    expect(rows).toHaveLength(stored.length);
  });
});
