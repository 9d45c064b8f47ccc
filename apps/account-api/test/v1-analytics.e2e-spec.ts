import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';
import { CountedTraffic } from './counted-traffic';

type Figures = Record<string, number> & { latency_ms: Record<string, number | null>; rates: Record<string, number> };
interface Analytics {
  status: number;
  from: string;
  until: string;
  interval: string;
  time_zone: string;
  totals: Figures;
  series: (Figures & { at: string })[];
  groups?: (Figures & { key: string | null })[];
  error?: { code: string; fields?: { field: string }[] };
}

describe('GET /api/v1/analytics', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let traffic: CountedTraffic;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    traffic = new CountedTraffic(fixture, tenant);
  });

  const get = <T = Analytics>(path: string, query: Record<string, string> = {}, key = tenant.key) =>
    fixture.v1<T>('GET', `/api/v1/analytics/${path}?${new URLSearchParams(query)}`, { key });
  const counted = (figure: string, value: number, channel = 'sms') =>
    until(`${figure} is ${value}`, async () => (await get(channel)).totals[figure] === value);

  it('counts SMS with rates, credits net of refunds, and latencies', async () => {
    await traffic.sms({ latencyMs: 1_000 });
    await traffic.sms({ latencyMs: 4_000 });
    await traffic.sms({ status: 'failed', error: 'The carrier reports: undeliverable' });
    await traffic.sms({ status: 'failed', error: 'invalid number', isRefunded: true });
    await traffic.sms({ status: 'canceled', isRefunded: true });
    await counted('accepted', 5);
    const { totals, series, from, until: end, interval, time_zone: zone } = await get('sms');
    expect(totals).toEqual({
      accepted: 5,
      sent: 3,
      delivered: 2,
      failed: 2,
      segments: 10,
      credits: 6,
      delivery_rate: 2 / 3,
      latency_ms: { p50: 1_024, p95: 4_096, p99: 4_096 },
    });
    expect({ interval, zone }).toEqual({ interval: 'day', zone: 'UTC' });
    // The end is rounded up to a quarter of an hour. After 23:45 it is midnight, so that the 30 days are calendar days.
    // At other times, the range starts and ends in the middle of a day, so it covers parts of 31 days.
    expect(series).toHaveLength(end.endsWith('T00:00:00.000Z') ? 30 : 31);
    expect(series[0]?.at.slice(0, 10)).toBe(from.slice(0, 10));
    expect(series.at(-1)).toEqual({ at: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`, ...totals });
    expect(series[0]).toMatchObject({ accepted: 0, delivery_rate: 0, latency_ms: { p50: null } });
  });

  it('groups SMS by each dimension, and the groups add up to the totals', async () => {
    const templateId = newId();
    const campaignId = newId();
    const senderId = newId();
    await traffic.sms({ country: 'DE', templateId, campaignId, senderId });
    await traffic.sms({ country: 'DE', templateId });
    await traffic.sms({ status: 'failed', error: 'invalid number', isRefunded: true });
    await counted('accepted', 3);
    const keysBy = async (dimension: string) =>
      (await get('sms', { group_by: dimension })).groups?.map(({ key, accepted }) => [key, accepted]);
    expect(await keysBy('country')).toEqual([
      ['DE', 2],
      ['IN', 1],
    ]);
    expect(await keysBy('template_id')).toEqual([
      [templateId, 2],
      [null, 1],
    ]);
    expect(await keysBy('campaign_id')).toEqual([
      [null, 2],
      [campaignId, 1],
    ]);
    expect((await keysBy('sender_id'))?.toSorted()).toEqual(
      [
        [senderId, 1],
        [tenant.workspace.id, 2],
      ].toSorted(),
    );
    const byError = (await get('sms', { group_by: 'error' })).groups;
    expect(byError).toMatchObject([
      { key: null, accepted: 2, delivered: 2, failed: 0, delivery_rate: 1, latency_ms: { p50: 1_024 } },
      { key: 'invalid number', accepted: 1, failed: 1, credits: 0, latency_ms: { p50: null } },
    ]);
  });

  it('counts emails by recipients, and opens by machines separately', async () => {
    const templateId = newId();
    await traffic.email(
      [
        ['ann@Example.com', 'sent', 'delivered', 'delivered', 'opened', 'opened', 'machine', 'clicked', 'clicked'],
        ['bob@example.com', 'sent', 'bounced', 'bounced', 'machine'],
        ['eve@other.example', 'sent', '', 'complained', 'unsubscribed'],
        ['sup@other.example', 'skipped', ''],
      ],
      { tags: ['news', 'weekly'], templateId },
    );
    await traffic.email([['ann@example.com', 'failed', '']]);
    await counted('accepted', 4, 'email');
    const { totals } = await get('email');
    expect(totals).toEqual({
      accepted: 4,
      sent: 3,
      delivered: 1,
      opened: 4,
      unique_opens: 1,
      machine_opens: 2,
      clicked: 2,
      unique_clicks: 1,
      bounced: 1,
      complained: 1,
      unsubscribed: 1,
      rates: {
        delivery: 1 / 3,
        open: 1 / 3,
        click: 1 / 3,
        bounce: 1 / 3,
        complaint: 1 / 3,
        unsubscribe: 1 / 3,
      },
    });
    const keysBy = async (dimension: string) =>
      (await get('email', { group_by: dimension })).groups?.map(({ key, accepted }) => [key, accepted]);
    expect(await keysBy('domain')).toEqual([
      ['example.com', 3],
      ['other.example', 1],
    ]);
    expect(await keysBy('sender')).toEqual([['hello@demo.example', 4]]);
    expect(await keysBy('template_id')).toEqual([
      [templateId, 3],
      [null, 1],
    ]);
    expect(await keysBy('campaign_id')).toEqual([[null, 4]]);
    expect(await keysBy('tag')).toEqual([
      ['news', 3],
      ['weekly', 3],
      [null, 1],
    ]);
  });

  it('counts a repeated event once, and a late event in the interval of its message', async () => {
    const created = new Date(Date.now() - 3 * 24 * 60 * 60_000);
    const id = await traffic.sms({ status: 'sent', createdAt: created });
    await counted('sent', 1);
    await fixture.database.query(`UPDATE sms.messages SET status = 'delivered', finished_at = now() WHERE id = $1`, [
      id,
    ]);
    await Promise.all([traffic.publishSms(id), traffic.publishSms(id), traffic.publishSms(id)]);
    await counted('delivered', 1);
    await traffic.publishSms(id);
    await traffic.sms();
    await counted('accepted', 2);
    const { totals, series } = await get('sms');
    expect(totals).toMatchObject({ accepted: 2, sent: 2, delivered: 2, credits: 4 });
    expect(series.filter(({ accepted }) => accepted === 1).map(({ at }) => at.slice(0, 10))).toEqual([
      created.toISOString().slice(0, 10),
      new Date().toISOString().slice(0, 10),
    ]);
  });

  it('returns an overview of all channels and of credits', async () => {
    await traffic.sms();
    await traffic.sms({ status: 'failed', isRefunded: true });
    await traffic.email([['ann@example.com', 'sent', 'delivered', 'delivered']]);
    type Overview = {
      totals: Record<string, Record<string, unknown>>;
      series: { at: string; sms: { accepted: number } }[];
    };
    const read = () => get<Overview>('overview', { interval: 'month' });
    await until('all messages are counted', async () => {
      const { totals } = await read();
      const { credits } = totals as { credits: Record<string, { charged: number; refunded: number }> };
      return credits['email']?.charged === 1 && credits['sms']?.charged === 4 && credits['sms'].refunded === 2;
    });
    const { totals, series } = await read();
    expect(totals).toMatchObject({
      sms: { accepted: 2, delivered: 1, failed: 1, credits: 2, delivery_rate: 1 },
      email: { accepted: 1, delivered: 1 },
      chatapp: { accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0, credits: 0 },
      bots: { conversations: 0, messages: 0, handoffs: 0, leads: 0 },
      credits: { sms: { charged: 4, refunded: 2, topped_up: 0, transferred: 0, adjusted: 0 }, chatapp: { charged: 0 } },
    });
    expect(series.reduce((sum, { sms }) => sum + sms.accepted, 0)).toBe(2);
  });

  it('uses half-open ranges and points that begin at local midnight', async () => {
    const at = (time: string) => new Date(`2026-10-${time}Z`);
    // 2026-10-25T01:00Z is the end of daylight saving time in Berlin.
    for (const time of ['23T22:00:00', '24T21:59:59', '24T22:00:00', '25T22:59:59', '25T23:00:00']) {
      await traffic.sms({ createdAt: at(time) });
    }
    const all = { from: '2026-10-01T00:00:00Z', until: '2026-11-01T00:00:00Z' };
    await until('all messages are counted', async () => (await get('sms', all)).totals.accepted === 5);
    const range = { from: at('23T22:00:00').toISOString(), until: at('25T23:00:00').toISOString() };
    const { series, totals, from, until: end } = await get('sms', { ...range, time_zone: 'Europe/Berlin' });
    expect({ from, until: end }).toEqual(range);
    expect(series.map(({ at: start, accepted }) => [start, accepted])).toEqual([
      ['2026-10-23T22:00:00.000Z', 2],
      ['2026-10-24T22:00:00.000Z', 2],
    ]);
    expect(totals.accepted).toBe(4);
    const hours = await get('sms', { ...range, time_zone: 'Asia/Kolkata', interval: 'hour' });
    expect(hours.series[0]?.at).toBe('2026-10-23T21:30:00.000Z');
    expect(hours.series.reduce((sum, { accepted }) => sum + (accepted ?? 0), 0)).toBe(4);
    const months = await get('sms', { ...range, time_zone: 'America/New_York', interval: 'month' });
    expect(months.series.map(({ at: start }) => start)).toEqual(['2026-10-01T04:00:00.000Z']);
  });

  it('covers the organization, one workspace, or the workspace of a bound key', async () => {
    const second = await fixture.factory.workspace(tenant.organizationId);
    await traffic.sms();
    await new CountedTraffic(fixture, tenant, second.id).sms();
    await counted('accepted', 2);
    expect((await get('sms', { workspace_id: second.id.toUpperCase() })).totals.accepted).toBe(1);
    const bound = await fixture.factory.key(tenant.organizationId, { workspaceId: second.id });
    expect((await get('sms', {}, bound)).totals.accepted).toBe(1);
    expect((await get('sms', { workspace_id: tenant.workspace.id }, bound)).status).toBe(404);
    const other = await fixture.tenant();
    expect((await get('sms', { workspace_id: other.workspace.id })).status).toBe(404);
    expect((await get('sms', {}, other.key)).totals.accepted).toBe(0);
  });

  it.each([
    ['from', { from: 'yesterday' }],
    ['until', { until: '2026-01-01' }],
    ['until', { from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
    ['until', { from: '2026-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
    ['from', { from: '2000-01-01T00:00:00Z' }],
    ['interval', { interval: 'week' }],
    ['interval', { from: '2025-11-01T00:00:00Z', interval: 'hour' }],
    ['time_zone', { time_zone: 'Mars/Olympus' }],
    ['time_zone', { time_zone: '+05:30' }],
    ['group_by', { group_by: 'recipient' }],
  ])('rejects an invalid %s: %j', async (field, query) => {
    const { status, ...body } = await get<{ status: number; error: { code: string }; fields: { field: string }[] }>(
      'sms',
      query as unknown as Record<string, string>,
    );
    expect({ status, code: body.error.code, fields: body.fields.map((one) => one.field) }).toEqual({
      status: 400,
      code: 'INVALID_REQUEST',
      fields: [field],
    });
  });
});
