import { newId } from '@heliograph/database';
import { campaignPaused, parseEvent } from '@heliograph/contracts';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import type { SmsFixture, SmsTenant } from './sms-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';
import { V1CampaignCalls } from './v1-campaign-calls';

describe('/api/v1/sms/campaigns', () => {
  let v1: V1Calls;
  let campaigns: V1CampaignCalls;
  let sms: SmsFixture;
  let tenant: SmsTenant;
  let tap: EventTap;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    campaigns = new V1CampaignCalls(v1);
    ({ sms } = v1);
    tap = await tapEvents(sms.service.amqpPrefix);
  });
  afterAll(() => tap.close());
  beforeEach(async () => {
    tenant = await campaigns.newTenant();
  });

  it('sends each contact its own text once, and counts the results', async () => {
    const ann = await campaigns.contact({ first_name: 'Ann' });
    const bob = await campaigns.contact();
    const out = await campaigns.contact({ consent_sms: 'opted_out' });
    const nobody = await campaigns.contact({ phone: null, email: `${newId()}@example.com` });
    const abroad = await campaigns.contact({ phone: '+14155550100' });
    const estimate = await campaigns.post('/estimate', campaigns.request());
    expect(estimate).toMatchObject({
      status: 200,
      body: { audience: 5, skipped: 3, segments: 2, credits_cost: 2, credits_available: 1_000 },
    });
    const made = await campaigns.create();
    expect(made).toMatchObject({ name: 'Spring', channel: 'sms', status: 'running', scheduled_at: null, error: null });
    expect(made['content']).toEqual({
      sender_id: tenant.sender.id,
      template_id: tenant.template.id,
      variables: { code: '{{ first_name | default: "there" }}' },
    });
    await campaigns.reached(made.id, 'completed');
    expect(await campaigns.messagesOf(made.id)).toEqual([
      { recipient: ann.phone, body: 'Your code is Ann', credits_cost: 1 },
      { recipient: bob.phone, body: 'Your code is there', credits_cost: 1 },
    ]);
    await until('both messages are delivered', async () => (await campaigns.read(made.id)).counts['delivered'] === 2);
    const done = await campaigns.read(made.id);
    expect(done).toMatchObject({
      counts: { audience: 5, queued: 2, sent: 2, delivered: 2, failed: 0, skipped: 3 },
      skipped_reasons: { opted_out: 1, suppressed: 0, no_address: 1, invalid: 1, duplicate: 0 },
      credits_spent: 2,
      finished_at: expect.any(String) as string,
    });
    expect(await v1.balanceOf(tenant.workspaceId)).toBe(998);
    await until('the results are aggregated', async () => {
      const left = await sms.database.query('SELECT FROM campaigns.results WHERE campaign_id = $1', [made.id]);
      return left.length === 0;
    });
    expect((await campaigns.read(made.id)).counts).toEqual(done.counts);
    const listed = await v1.listed(`/messages?campaign_id=${made.id}`, tenant.key);
    expect(listed.map((one) => one['campaign_id'])).toEqual([made.id, made.id]);
    expect([out.id, nobody.id, abroad.id]).toHaveLength(3);
  });

  it('selects the union of groups and contacts without the excluded groups, and applies the filter', async () => {
    const other = await campaigns.group();
    const [a] = await campaigns.contacts(1, { country: 'IN', attributes: { plan: 'pro' } });
    await campaigns.contact({ country: 'US', attributes: { plan: 'pro' } });
    await campaigns.contact({ country: 'IN', attributes: { plan: 'free' } });
    await campaigns.contact({ country: 'IN', attributes: { plan: 'pro' } }, [campaigns.groupId, other]);
    const single = await campaigns.contact({ country: 'IN', attributes: { plan: 'pro', seats: 2 } }, []);
    await campaigns.contact({ country: 'IN', attributes: { plan: 'pro' } }, []);
    const filter = { country: 'in', attributes: { plan: 'pro' }, consent: 'unknown', created_before: SCHEDULED };
    const audience = {
      group_ids: [campaigns.groupId],
      contact_ids: [single.id, newId()],
      exclude_group_ids: [other],
      filter,
    };
    const { id } = await campaigns.create({ audience });
    await campaigns.reached(id, 'completed');
    expect((await campaigns.messagesOf(id)).map(({ recipient }) => recipient)).toEqual([a!.phone, single.phone]);
    expect(await campaigns.post('/estimate', campaigns.request({ audience: { filter: {} } }))).toMatchObject({
      body: { audience: 6 },
    });
    const years = { created_after: '2020-01-01T00:00:00+23:59', created_before: '2099-01-01T00:00:00-16:00' };
    expect(await campaigns.post('/estimate', campaigns.request({ audience: { filter: years } }))).toMatchObject({
      body: { audience: 6 },
    });
  });

  it('pauses when the credits are used up, and continues from the same position', async () => {
    tenant = await campaigns.newTenant({ credits: 3 });
    const everybody = await campaigns.contacts(8);
    const { id } = await campaigns.create();
    await campaigns.reached(id, 'paused');
    expect(await campaigns.read(id)).toMatchObject({
      error: { code: 'INSUFFICIENT_CREDITS' },
      counts: { audience: 8, queued: 3 },
      credits_spent: 3,
    });
    const { workspaceId, organizationId } = tenant;
    await sms.tenants.topUp({ id: workspaceId, organizationId }, 'sms', 97);
    expect(await campaigns.post(`/${id}/resume`)).toMatchObject({
      status: 200,
      body: { status: 'running', error: null },
    });
    await campaigns.reached(id, 'completed');
    const sent = (await campaigns.messagesOf(id)).map(({ recipient }) => recipient);
    expect(sent).toEqual(everybody.map(({ phone }) => phone));
    expect((await campaigns.read(id)).credits_spent).toBe(8);
    const published = await until('its events are published', () => {
      const found = tap.events.filter(({ data }) => (data as { campaignId?: string }).campaignId === id);
      return found.length === 4 && found;
    });
    expect(published.map(({ type }) => type)).toEqual([
      'campaign.started',
      'campaign.paused',
      'campaign.started',
      'campaign.completed',
    ]);
    const { campaign } = parseEvent(campaignPaused, published[1]).data;
    expect(campaign).toMatchObject({ id, status: 'paused', error: { code: 'INSUFFICIENT_CREDITS' }, credits_spent: 3 });
  });

  it('sends at the configured rate, pauses within two seconds, resumes and can be canceled', async () => {
    await campaigns.contacts(6);
    const { id } = await campaigns.create({ rate_per_minute: 60 });
    await until('the campaign has started', async () => (await campaigns.read(id)).counts['queued'] === 1);
    expect(await campaigns.post(`/${id}/pause`)).toMatchObject({ status: 200, body: { status: 'paused' } });
    const paused = (await campaigns.read(id)).counts['queued']!;
    expect(paused).toBeLessThan(4);
    expect(await campaigns.post(`/${id}/pause`)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } });
    expect(await campaigns.post(`/${id}/start`)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } });
    await campaigns.post(`/${id}/resume`);
    await until('the campaign continues', async () => (await campaigns.read(id)).counts['queued']! > paused);
    expect(await campaigns.post(`/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    expect(await campaigns.post(`/${id}/resume`)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } });
    expect((await campaigns.messagesOf(id)).length).toBe((await campaigns.read(id)).counts['queued']);
  });

  it('can be a draft or scheduled, and can be updated until it starts', async () => {
    await campaigns.contacts(1);
    const draft = await campaigns.create({ draft: true });
    expect(draft.status).toBe('draft');
    const changed = await v1.put(
      `/campaigns/${draft.id}`,
      campaigns.request({ name: 'Summer', draft: true }),
      tenant.key,
    );
    expect([changed.status, changed.body['name'], changed.body['status']]).toEqual([200, 'Summer', 'draft']);
    const scheduled = await campaigns.create({ scheduled_at: SCHEDULED });
    expect(scheduled).toMatchObject({ status: 'scheduled', scheduled_at: '2099-01-01T08:00:00.000Z' });
    const put = (fields: Fields) => v1.put(`/campaigns/${scheduled.id}`, fields, tenant.key);
    const { audience, content, scheduled_at } = scheduled as unknown as Fields;
    expect(await put({ name: 'Autumn', rate_per_minute: 60 })).toMatchObject({
      status: 200,
      body: { name: 'Autumn', rate_per_minute: 60, status: 'scheduled', audience, content, scheduled_at },
    });
    const cleared = await put({ rate_per_minute: null, variables: { code: 'other' } });
    expect(cleared.body).toMatchObject({ name: 'Autumn', rate_per_minute: null });
    expect(cleared.body['content']).toEqual({ ...(content as object), variables: { code: 'other' } });
    const invalid = await put({ audience: 5, name: '' });
    expect([invalid.status, (invalid.body['fields'] as unknown[]).length]).toEqual([400, 2]);
    expect(await campaigns.post(`/${draft.id}/start`)).toMatchObject({ status: 200, body: { status: 'running' } });
    await campaigns.reached(draft.id, 'completed');
    const late = await v1.put(`/campaigns/${draft.id}`, campaigns.request(), tenant.key);
    expect([late.status, late.body['code']]).toEqual([409, 'CAMPAIGN_STARTED']);
    expect(await campaigns.post(`/${scheduled.id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'canceled' },
    });
    const ids = (await v1.listed('/campaigns', tenant.key)).map((one) => one['id']);
    expect(ids).toEqual([scheduled.id, draft.id]);
    expect(await v1.listed('/campaigns?status=canceled', tenant.key)).toHaveLength(1);
  });

  it('skips contacts of a country whose sender does not fit the template', async () => {
    const germany = await sms.onboarding(tenant.organizationId, { country: 'DE', dltEntityId: null });
    await sms.sender(tenant.organizationId, germany.id);
    await campaigns.contact({ phone: '+4915112345678' });
    await campaigns.contacts(1);
    const { id } = await campaigns.create({ sender_id: null });
    await campaigns.reached(id, 'completed');
    expect(await campaigns.messagesOf(id)).toHaveLength(1);
    expect((await campaigns.read(id)) as unknown).toMatchObject({ skipped_reasons: { invalid: 1 }, error: null });
  });

  it('keeps both of two concurrent changes', async () => {
    const { id } = await campaigns.create({ scheduled_at: SCHEDULED });
    for (let n = 1; n <= 5; n++) {
      const name = `Change ${n}`;
      const rate = 60 + n;
      await Promise.all(
        [{ name }, { rate_per_minute: rate }].map((one) => v1.put(`/campaigns/${id}`, one, tenant.key)),
      );
      expect(await campaigns.read(id)).toMatchObject({ name, rate_per_minute: rate });
    }
  });

  it('treats a filter that is null as absent', async () => {
    await campaigns.contacts(2);
    const audience = { group_ids: [campaigns.groupId], filter: null };
    const estimate = await campaigns.post('/estimate', campaigns.request({ audience }));
    expect(estimate).toMatchObject({ status: 200, body: { audience: 2 } });
    const { id } = await campaigns.create({ audience });
    await campaigns.reached(id, 'completed');
    expect(await campaigns.messagesOf(id)).toHaveLength(2);
  });

  it('sends during the allowed hours in the time zone of each contact', async () => {
    const hour = new Date().getUTCHours();
    const at = (h: number) => `${String((h + 24) % 24).padStart(2, '0')}:00`;
    const open = await campaigns.contact({ time_zone: 'UTC' });
    await campaigns.contact({ time_zone: 'Pacific/Kiritimati' });
    const window = { from: at(hour - 1), until: at(hour + 2), time_zone: 'contact' };
    const { id } = await campaigns.create({ send_window: window });
    await until('one message is created', async () => (await campaigns.read(id)).counts['queued'] === 1);
    expect(await campaigns.read(id)).toMatchObject({ status: 'running', counts: { audience: 2, queued: 1 } });
    expect((await campaigns.messagesOf(id)).map(({ recipient }) => recipient)).toEqual([open.phone]);
    await campaigns.post(`/${id}/cancel`);
  });

  it('fails when its template is deleted', async () => {
    await campaigns.contacts(1);
    const { id } = await campaigns.create({ draft: true });
    await sms.catalog.putTemplate(sms.tenants.dataSource.manager, tenant.organizationId, {
      ...tenant.template,
      isActive: false,
    });
    await until(
      'the change is known',
      async () => (await campaigns.post('/estimate', campaigns.request())).status === 400,
    );
    await campaigns.post(`/${id}/start`);
    await campaigns.reached(id, 'failed');
    expect((await campaigns.read(id)).error).toMatchObject({ code: 'TEMPLATE_INACTIVE' });
  });
});
