import { newId } from '@heliograph/database';
import type { SmsFixture, SmsTenant } from './sms-fixture';
import { V1Calls, type Fields } from './v1-calls';
import { V1CampaignCalls } from './v1-campaign-calls';

describe('/api/v1/sms/campaigns', () => {
  let v1: V1Calls;
  let campaigns: V1CampaignCalls;
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    campaigns = new V1CampaignCalls(v1);
    ({ sms } = v1);
  });
  beforeEach(async () => {
    tenant = await campaigns.newTenant();
  });

  it('refuses a time in the past as a send does, and invalid content before a locked workspace', async () => {
    const past = await campaigns.post('', campaigns.request({ scheduled_at: '2020-01-01T00:00:00Z' }));
    expect([past.status, past.body.code]).toEqual([400, 'SCHEDULED_AT_IN_PAST']);
    const locked = await sms.tenants.workspace(tenant.organizationId, { status: 'locked' });
    const key = await sms.tenants.key(tenant.organizationId, { workspaceId: locked.id });
    const codeOf = async (fields: Fields, path = '') =>
      (await v1.post(`/campaigns${path}`, campaigns.request(fields), key)).body['code'];
    for (const path of ['', '/estimate']) {
      expect(await codeOf({ template_id: 'none' }, path)).toBe('INVALID_TEMPLATE');
      expect(await codeOf({ audience: { group_ids: [newId()] } }, path)).toBe('INVALID_REQUEST');
      expect(await codeOf({}, path)).toBe('NO_WORKSPACE');
    }
  });

  it('skips contacts for whom the text would be empty', async () => {
    const germany = await sms.onboarding(tenant.organizationId, { country: 'DE', dltEntityId: null });
    const sender = await sms.sender(tenant.organizationId, germany.id);
    await campaigns.contact({ phone: '+4915112345678' });
    await campaigns.contact({ phone: '+4915112345679', attributes: { offer: 'Half price' } });
    const content = {
      sender_id: sender.id,
      template_id: undefined,
      variables: undefined,
      message: '{{ attributes.offer }}',
    };
    const estimate = await campaigns.post('/estimate', campaigns.request(content));
    expect(estimate).toMatchObject({ status: 200, body: { audience: 2, skipped: 1, segments: 1 } });
    const { id } = await campaigns.create(content);
    await campaigns.reached(id, 'completed');
    expect(await campaigns.read(id)).toMatchObject({
      counts: { queued: 1, skipped: 1 },
      skipped_reasons: { invalid: 1 },
    });
  });

  it('estimates a text of fields of contacts without any contact', async () => {
    const content = { template_id: undefined, variables: undefined, message: '{{ first_name }}' };
    expect(await campaigns.post('/estimate', campaigns.request(content))).toMatchObject({
      status: 200,
      body: { audience: 0, segments: 0 },
    });
  });

  it.each([
    ['message', { message: 'Hi\n {{ first_name', template_id: undefined, variables: undefined }],
    ['message', { message: 'Hi\n {% if first_name %}x{% endif %}', template_id: undefined, variables: undefined }],
    ['variables.code', { variables: { code: 'a\n {{ first_name | upcase }}' } }],
  ])('names the line and column of a mistake in the %s', async (field, fields) => {
    for (const path of ['', '/estimate']) {
      expect(await campaigns.post(path, campaigns.request(fields))).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_REQUEST',
          fields: [
            { field, message: expect.stringContaining(`${field}, line 2, column 2: the placeholder`) as string },
          ],
        },
      });
    }
  });

  it('is created once per Idempotency-Key', async () => {
    await campaigns.contacts(1);
    const headers = { 'Idempotency-Key': newId() };
    const one = await campaigns.post('', campaigns.request(), headers);
    const other = await campaigns.post('', campaigns.request(), headers);
    expect([other.status, other.body.id]).toEqual([201, one.body.id]);
    expect(await v1.listed('/campaigns', tenant.key)).toHaveLength(1);
  });

  it.each(['start', 'pause', 'resume', 'cancel'])(
    'documents the answer to %s with an invalid Idempotency-Key',
    async (action) => {
      const { id } = await campaigns.create({ draft: true });
      const answer = await campaigns.post(`/${id}/${action}`, {}, { 'Idempotency-Key': 'x'.repeat(1_000) });
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    },
  );

  it('hides a campaign from other organizations, and does not allow viewers to send', async () => {
    const { id } = await campaigns.create({ draft: true });
    const stranger = await sms.tenant();
    for (const path of [`/campaigns/${id}`, `/campaigns/${newId()}`, '/campaigns/x']) {
      expect((await v1.get(path, stranger.key)).status).toBe(404);
    }
    expect((await v1.post(`/campaigns/${id}/start`, {}, stranger.key)).status).toBe(404);
    expect((await v1.put(`/campaigns/${id}`, campaigns.request(), stranger.key)).status).toBe(404);
    const viewer = await sms.tenants.key(tenant.organizationId, { role: 'viewer' });
    expect((await v1.post('/campaigns', campaigns.request(), viewer)).status).toBe(403);
    expect((await v1.post('/campaigns/estimate', campaigns.request(), viewer)).status).toBe(200);
    const reader = await sms.tenants.key(tenant.organizationId, { scopes: ['sms:read'] });
    expect((await v1.post(`/campaigns/${id}/cancel`, {}, reader)).status).toBe(403);
    expect((await v1.get(`/campaigns/${id}`, reader)).status).toBe(200);
  });

  it.each<[string, Fields, string]>([
    ['an empty name', { name: '' }, 'name'],
    ['an empty audience', { audience: {} }, 'audience'],
    ['an audience of the wrong type', { audience: [] }, 'audience'],
    ['an unknown condition', { audience: { filter: { age: 3 } } }, 'audience.filter.age'],
    [
      'a property name of a prototype as a condition',
      { audience: { filter: { constructor: 1 } } },
      'audience.filter.constructor',
    ],
    ['an unknown group', { audience: { group_ids: [newId()] } }, 'audience.group_ids'],
    ['an invalid time', { send_window: { from: '9', until: '21:00' } }, 'send_window'],
    ['an unknown time zone', { send_window: { from: '09:00', until: '21:00', time_zone: 'Mars' } }, 'send_window'],
    ['a rate of zero', { rate_per_minute: 0 }, 'rate_per_minute'],
    ['a time in the past', { scheduled_at: '2020-01-01T00:00:00Z' }, 'scheduled_at'],
    ['an unknown template', { template_id: 'nothing' }, 'template_id'],
    ['a missing variable', { variables: {} }, 'variables'],
    ['an invalid placeholder', { variables: { code: '{{ 1 + 1 }}' } }, 'variables.code'],
  ])('rejects a campaign with %s', async (_what, fields, field) => {
    const { status, body } = await campaigns.post('', campaigns.request(fields));
    expect([status, body.fields?.[0]?.field]).toEqual([400, field]);
    expect(await v1.listed('/campaigns', tenant.key)).toEqual([]);
  });
});
