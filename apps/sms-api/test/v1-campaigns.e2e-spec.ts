import { newId } from '@heliograph/database';
import { campaignPaused, parseEvent } from '@heliograph/contracts';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import { SmsFixture, type SmsTenant } from './sms-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

interface Campaign extends Fields {
  id: string;
  status: string;
  counts: Record<string, number>;
  skipped_reasons: Record<string, number>;
  credits_spent: number;
  error: { code: string } | null;
}

describe('/api/v1/sms/campaigns', () => {
  let v1: V1Calls;
  let sms: SmsFixture;
  let tenant: SmsTenant;
  let groupId: string;
  let tap: EventTap;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms } = v1);
    tap = await tapEvents(sms.service.amqpPrefix);
  });
  afterAll(() => tap.close());
  beforeEach(async () => {
    tenant = await sms.tenant();
    groupId = await group();
  });

  const group = async () => {
    const id = newId();
    const values = [id, tenant.organizationId, id];
    await sms.database.query('INSERT INTO contacts.groups (id, organization_id, name) VALUES ($1, $2, $3)', values);
    return id;
  };
  const contact = async (fields: Fields = {}, groups: string[] = [groupId]) => {
    const row: Fields = {
      ...{ id: newId(), organization_id: tenant.organizationId, phone: sms.recipient(), source: 'api', ...fields },
    };
    const columns = Object.keys(row);
    await sms.database.query(
      `INSERT INTO contacts.contacts (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(row),
    );
    for (const id of groups) {
      await sms.database.query('INSERT INTO contacts.memberships VALUES ($1, $2)', [id, row['id']]);
    }
    return row as { id: string; phone: string };
  };
  const contacts = async (count: number, fields: Fields = {}) => {
    const made: { id: string; phone: string }[] = [];
    for (let n = 0; n < count; n++) made.push(await contact(fields));
    return made;
  };
  const request = (fields: Fields = {}): Fields => ({
    ...{ name: 'Spring', sender_id: tenant.sender.id, template_id: tenant.template.id },
    ...{ variables: { code: '{{ first_name | default: "there" }}' }, audience: { group_ids: [groupId] }, ...fields },
  });
  const post = async (path: string, body: unknown = {}, headers = {}) => {
    const answer = await v1.post(`/campaigns${path}`, body, tenant.key, headers);
    return { status: answer.status, body: answer.body as Campaign & { code: string; fields?: { field: string }[] } };
  };
  const create = async (fields: Fields = {}) => {
    const { status, body } = await post('', request(fields));
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  };
  const read = async (id: string) => (await v1.get(`/campaigns/${id}`, tenant.key)).body as Campaign;
  const reached = (id: string, status: string) => until(status, async () => (await read(id)).status === status);
  const messagesOf = (id: string) =>
    sms.database.query<{ recipient: string; body: string; credits_cost: number }>(
      'SELECT recipient, body, credits_cost FROM sms.messages WHERE campaign_id = $1 ORDER BY id',
      [id],
    );

  it('sends each contact its own text once, and counts the results', async () => {
    const [ann, bob] = [await contact({ first_name: 'Ann' }), await contact()];
    const out = await contact({ consent_sms: 'opted_out' });
    const nobody = await contact({ phone: null, email: `${newId()}@example.com` });
    const abroad = await contact({ phone: '+14155550100' });
    const estimate = await post('/estimate', request());
    expect(estimate).toMatchObject({
      status: 200,
      body: { audience: 5, skipped: 3, segments: 2, credits_cost: 2, credits_available: 1_000 },
    });
    const made = await create();
    expect(made).toMatchObject({ name: 'Spring', channel: 'sms', status: 'running', scheduled_at: null, error: null });
    expect(made['content']).toEqual({
      ...{ sender_id: tenant.sender.id, template_id: tenant.template.id },
      variables: { code: '{{ first_name | default: "there" }}' },
    });
    await reached(made.id, 'completed');
    expect(await messagesOf(made.id)).toEqual([
      { recipient: ann.phone, body: 'Your code is Ann', credits_cost: 1 },
      { recipient: bob.phone, body: 'Your code is there', credits_cost: 1 },
    ]);
    await until('both messages are delivered', async () => (await read(made.id)).counts['delivered'] === 2);
    const done = await read(made.id);
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
    expect((await read(made.id)).counts).toEqual(done.counts);
    const listed = await v1.listed(`/messages?campaign_id=${made.id}`, tenant.key);
    expect(listed.map((one) => one['campaign_id'])).toEqual([made.id, made.id]);
    expect([out.id, nobody.id, abroad.id]).toHaveLength(3);
  });

  it('selects the union of groups and contacts without the excluded groups, and applies the filter', async () => {
    const other = await group();
    const [a] = await contacts(1, { country: 'IN', attributes: { plan: 'pro' } });
    await contact({ country: 'US', attributes: { plan: 'pro' } });
    await contact({ country: 'IN', attributes: { plan: 'free' } });
    await contact({ country: 'IN', attributes: { plan: 'pro' } }, [groupId, other]);
    const single = await contact({ country: 'IN', attributes: { plan: 'pro', seats: 2 } }, []);
    await contact({ country: 'IN', attributes: { plan: 'pro' } }, []);
    const filter = { country: 'in', attributes: { plan: 'pro' }, consent: 'unknown', created_before: SCHEDULED };
    const audience = { group_ids: [groupId], contact_ids: [single.id, newId()], exclude_group_ids: [other], filter };
    const { id } = await create({ audience });
    await reached(id, 'completed');
    expect((await messagesOf(id)).map(({ recipient }) => recipient)).toEqual([a!.phone, single.phone]);
    expect(await post('/estimate', request({ audience: { filter: {} } }))).toMatchObject({ body: { audience: 6 } });
    const years = { created_after: '2020-01-01T00:00:00+23:59', created_before: '2099-01-01T00:00:00-16:00' };
    expect(await post('/estimate', request({ audience: { filter: years } }))).toMatchObject({ body: { audience: 6 } });
  });

  it('pauses when the credits are used up, and continues from the same position', async () => {
    tenant = await sms.tenant({ credits: 3 });
    groupId = await group();
    const everybody = await contacts(8);
    const { id } = await create();
    await reached(id, 'paused');
    expect(await read(id)).toMatchObject({
      ...{ error: { code: 'INSUFFICIENT_CREDITS' }, counts: { audience: 8, queued: 3 }, credits_spent: 3 },
    });
    const { workspaceId, organizationId } = tenant;
    await sms.tenants.topUp({ id: workspaceId, organizationId }, 'sms', 97);
    expect(await post(`/${id}/resume`)).toMatchObject({ status: 200, body: { status: 'running', error: null } });
    await reached(id, 'completed');
    const sent = (await messagesOf(id)).map(({ recipient }) => recipient);
    expect(sent).toEqual(everybody.map(({ phone }) => phone));
    expect((await read(id)).credits_spent).toBe(8);
    const published = await until('its events are published', () => {
      const found = tap.events.filter(({ data }) => (data as { campaignId?: string }).campaignId === id);
      return found.length === 4 && found;
    });
    expect(published.map(({ type }) => type)).toEqual([
      ...['campaign.started', 'campaign.paused', 'campaign.started', 'campaign.completed'],
    ]);
    const { campaign } = parseEvent(campaignPaused, published[1]).data;
    expect(campaign).toMatchObject({ id, status: 'paused', error: { code: 'INSUFFICIENT_CREDITS' }, credits_spent: 3 });
  });

  it('sends at the configured rate, pauses within two seconds, resumes and can be canceled', async () => {
    await contacts(6);
    const { id } = await create({ rate_per_minute: 60 });
    await until('the campaign has started', async () => (await read(id)).counts['queued'] === 1);
    expect(await post(`/${id}/pause`)).toMatchObject({ status: 200, body: { status: 'paused' } });
    const paused = (await read(id)).counts['queued']!;
    expect(paused).toBeLessThan(4);
    expect(await post(`/${id}/pause`)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } });
    expect(await post(`/${id}/start`)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } });
    await post(`/${id}/resume`);
    await until('the campaign continues', async () => (await read(id)).counts['queued']! > paused);
    expect(await post(`/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    expect(await post(`/${id}/resume`)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } });
    expect((await messagesOf(id)).length).toBe((await read(id)).counts['queued']);
  });

  it('can be a draft or scheduled, and can be updated until it starts', async () => {
    await contacts(1);
    const draft = await create({ draft: true });
    expect(draft.status).toBe('draft');
    const changed = await v1.put(`/campaigns/${draft.id}`, request({ name: 'Summer', draft: true }), tenant.key);
    expect([changed.status, changed.body['name'], changed.body['status']]).toEqual([200, 'Summer', 'draft']);
    const scheduled = await create({ scheduled_at: SCHEDULED });
    expect(scheduled).toMatchObject({ status: 'scheduled', scheduled_at: '2099-01-01T08:00:00.000Z' });
    const put = (fields: Fields) => v1.put(`/campaigns/${scheduled.id}`, fields, tenant.key);
    const { audience, content, scheduled_at } = scheduled as unknown as Fields;
    expect(await put({ name: 'Autumn', rate_per_minute: 60 })).toMatchObject({
      ...{
        status: 200,
        body: { name: 'Autumn', rate_per_minute: 60, status: 'scheduled', audience, content, scheduled_at },
      },
    });
    const cleared = await put({ rate_per_minute: null, variables: { code: 'other' } });
    expect(cleared.body).toMatchObject({ name: 'Autumn', rate_per_minute: null });
    expect(cleared.body['content']).toEqual({ ...(content as object), variables: { code: 'other' } });
    const invalid = await put({ audience: 5, name: '' });
    expect([invalid.status, (invalid.body['fields'] as unknown[]).length]).toEqual([400, 2]);
    expect(await post(`/${draft.id}/start`)).toMatchObject({ status: 200, body: { status: 'running' } });
    await reached(draft.id, 'completed');
    const late = await v1.put(`/campaigns/${draft.id}`, request(), tenant.key);
    expect([late.status, late.body['code']]).toEqual([409, 'CAMPAIGN_STARTED']);
    expect(await post(`/${scheduled.id}/cancel`)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    const ids = (await v1.listed('/campaigns', tenant.key)).map((one) => one['id']);
    expect(ids).toEqual([scheduled.id, draft.id]);
    expect(await v1.listed('/campaigns?status=canceled', tenant.key)).toHaveLength(1);
  });

  it('refuses a time in the past as a send does, and invalid content before a locked workspace', async () => {
    const past = await post('', request({ scheduled_at: '2020-01-01T00:00:00Z' }));
    expect([past.status, past.body.code]).toEqual([400, 'SCHEDULED_AT_IN_PAST']);
    const locked = await sms.tenants.workspace(tenant.organizationId, { status: 'locked' });
    const key = await sms.tenants.key(tenant.organizationId, { workspaceId: locked.id });
    const codeOf = async (fields: Fields, path = '') =>
      (await v1.post(`/campaigns${path}`, request(fields), key)).body['code'];
    for (const path of ['', '/estimate']) {
      expect(await codeOf({ template_id: 'none' }, path)).toBe('INVALID_TEMPLATE');
      expect(await codeOf({ audience: { group_ids: [newId()] } }, path)).toBe('INVALID_REQUEST');
      expect(await codeOf({}, path)).toBe('NO_WORKSPACE');
    }
  });

  it('skips contacts of a country whose sender does not fit the template', async () => {
    const germany = await sms.onboarding(tenant.organizationId, { country: 'DE', dltEntityId: null });
    await sms.sender(tenant.organizationId, germany.id);
    await contact({ phone: '+4915112345678' });
    await contacts(1);
    const { id } = await create({ sender_id: null });
    await reached(id, 'completed');
    expect(await messagesOf(id)).toHaveLength(1);
    expect((await read(id)) as unknown).toMatchObject({ skipped_reasons: { invalid: 1 }, error: null });
  });

  it('keeps both of two concurrent changes', async () => {
    const { id } = await create({ scheduled_at: SCHEDULED });
    for (let n = 1; n <= 5; n++) {
      const [name, rate] = [`Change ${n}`, 60 + n];
      await Promise.all(
        [{ name }, { rate_per_minute: rate }].map((one) => v1.put(`/campaigns/${id}`, one, tenant.key)),
      );
      expect(await read(id)).toMatchObject({ name, rate_per_minute: rate });
    }
  });

  it('treats a filter that is null as absent', async () => {
    await contacts(2);
    const audience = { group_ids: [groupId], filter: null };
    const estimate = await post('/estimate', request({ audience }));
    expect(estimate).toMatchObject({ status: 200, body: { audience: 2 } });
    const { id } = await create({ audience });
    await reached(id, 'completed');
    expect(await messagesOf(id)).toHaveLength(2);
  });

  it('sends during the allowed hours in the time zone of each contact', async () => {
    const hour = new Date().getUTCHours();
    const at = (h: number) => `${String((h + 24) % 24).padStart(2, '0')}:00`;
    const open = await contact({ time_zone: 'UTC' });
    await contact({ time_zone: 'Pacific/Kiritimati' });
    const window = { from: at(hour - 1), until: at(hour + 2), time_zone: 'contact' };
    const { id } = await create({ send_window: window });
    await until('one message is created', async () => (await read(id)).counts['queued'] === 1);
    expect(await read(id)).toMatchObject({ status: 'running', counts: { audience: 2, queued: 1 } });
    expect((await messagesOf(id)).map(({ recipient }) => recipient)).toEqual([open.phone]);
    await post(`/${id}/cancel`);
  });

  it('fails when its template is deleted', async () => {
    await contacts(1);
    const { id } = await create({ draft: true });
    await sms.catalog.putTemplate(sms.tenants.dataSource.manager, tenant.organizationId, {
      ...tenant.template,
      isActive: false,
    });
    await until('the change is known', async () => (await post('/estimate', request())).status === 400);
    await post(`/${id}/start`);
    await reached(id, 'failed');
    expect((await read(id)).error).toMatchObject({ code: 'TEMPLATE_INACTIVE' });
  });

  it('is created once per Idempotency-Key', async () => {
    await contacts(1);
    const headers = { 'Idempotency-Key': newId() };
    const [one, other] = [await post('', request(), headers), await post('', request(), headers)];
    expect([other.status, other.body.id]).toEqual([201, one.body.id]);
    expect(await v1.listed('/campaigns', tenant.key)).toHaveLength(1);
  });

  it('hides a campaign from other organizations, and does not allow viewers to send', async () => {
    const { id } = await create({ draft: true });
    const stranger = await sms.tenant();
    for (const path of [`/campaigns/${id}`, `/campaigns/${newId()}`, '/campaigns/x']) {
      expect((await v1.get(path, stranger.key)).status).toBe(404);
    }
    expect((await v1.post(`/campaigns/${id}/start`, {}, stranger.key)).status).toBe(404);
    expect((await v1.put(`/campaigns/${id}`, request(), stranger.key)).status).toBe(404);
    const viewer = await sms.tenants.key(tenant.organizationId, { role: 'viewer' });
    expect((await v1.post('/campaigns', request(), viewer)).status).toBe(403);
    expect((await v1.post('/campaigns/estimate', request(), viewer)).status).toBe(200);
    const reader = await sms.tenants.key(tenant.organizationId, { scopes: ['sms:read'] });
    expect((await v1.post(`/campaigns/${id}/cancel`, {}, reader)).status).toBe(403);
    expect((await v1.get(`/campaigns/${id}`, reader)).status).toBe(200);
  });

  it.each<[string, Fields, string]>([
    ['an empty name', { name: '' }, 'name'],
    ['an empty audience', { audience: {} }, 'audience'],
    ['an audience of the wrong type', { audience: [] }, 'audience'],
    ['an unknown condition', { audience: { filter: { age: 3 } } }, 'audience'],
    ['a property name of a prototype as a condition', { audience: { filter: { constructor: 1 } } }, 'audience'],
    ['an unknown group', { audience: { group_ids: [newId()] } }, 'audience.group_ids'],
    ['an invalid time', { send_window: { from: '9', until: '21:00' } }, 'send_window'],
    ['an unknown time zone', { send_window: { from: '09:00', until: '21:00', time_zone: 'Mars' } }, 'send_window'],
    ['a rate of zero', { rate_per_minute: 0 }, 'rate_per_minute'],
    ['a time in the past', { scheduled_at: '2020-01-01T00:00:00Z' }, 'scheduled_at'],
    ['an unknown template', { template_id: 'nothing' }, 'template_id'],
    ['a missing variable', { variables: {} }, 'variables'],
    ['an invalid placeholder', { variables: { code: '{{ 1 + 1 }}' } }, 'variables'],
  ])('rejects a campaign with %s', async (_what, fields, field) => {
    const { status, body } = await post('', request(fields));
    expect([status, body.fields?.[0]?.field]).toEqual([400, field]);
    expect(await v1.listed('/campaigns', tenant.key)).toEqual([]);
  });
});
