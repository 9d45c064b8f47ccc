import { newId } from '@heliograph/database';
import { call, postJson } from './calls';
import { V1Calls, type Fields } from './v1-calls';

describe('a name that no field of a call has', () => {
  let v1: V1Calls;
  let send: Fields;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    send = { to: v1.sms.recipient(), template_id: v1.tenant.template.name, variables: { code: 1 } };
  });

  const sentTo = async (to: unknown): Promise<unknown[]> =>
    v1.sms.database.query('SELECT id FROM sms.messages WHERE recipient = $1', [to]);

  it.each<[string, string, string]>([
    ['scheduledAt', 'scheduledAt', 'Did you mean scheduled_at?'],
    ['Reference', 'Reference', 'Did you mean reference?'],
    ['templateId', 'templateId', 'Did you mean template_id?'],
    ['audience', 'audience', '`audience` is a field of POST /api/v1/sms/campaigns.'],
    ['recipients', 'recipients', '`recipients` is a field of POST /api/v1/sms/bulk.'],
    ['__proto__', '__proto__', 'Its fields are '],
    ['constructor', 'constructor', 'Its fields are '],
  ])('refuses a v1 send with %s, sends nothing, and says what to send', async (name, field, advice) => {
    const to = v1.sms.recipient();
    const body = JSON.parse(
      `${JSON.stringify({ ...send, to }).slice(0, -1)},"${name}":"2099-01-01T10:00:00Z"}`,
    ) as Fields;
    expect(await v1.post('/send', body)).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        fields: [{ field, message: expect.stringContaining(advice) as string }],
      },
    });
    expect(await sentTo(to)).toEqual([]);
  });

  it('is reported together with the fields of the wrong shape', async () => {
    const { body } = await v1.post('/send', { ...send, flash: 'yes', scheduledAt: 'x' });
    expect(body.fields).toMatchObject([{ field: 'scheduledAt' }, { field: 'flash' }]);
  });

  it('in one recipient of a bulk refuses the whole bulk', async () => {
    const to = v1.sms.recipient();
    const other = v1.sms.recipient();
    const recipients = [{ to }, { to: other, varaibles: { code: 2 } }];
    const { to: _to, ...common } = send;
    expect(await v1.post('/bulk', { ...common, recipients })).toMatchObject({
      status: 400,
      body: {
        fields: [
          {
            field: 'recipients[1].varaibles',
            message: 'recipients[1].varaibles is not a field of this call. Did you mean recipients[1].variables?',
          },
        ],
      },
    });
    expect(await sentTo(to)).toEqual([]);
  });

  it('in the audience of a campaign does not select everybody', async () => {
    const { to: _to, ...content } = send;
    const campaign = { name: 'Typo', draft: true, audience: { groupIds: [newId()], filter: {} }, ...content };
    for (const path of ['/campaigns', '/campaigns/estimate']) {
      const { status, body } = await v1.post(path, campaign);
      expect([path, status, body.fields]).toMatchObject([
        path,
        400,
        [
          {
            field: 'audience.groupIds',
            message: 'audience.groupIds is not a field of this call. Did you mean audience.group_ids?',
          },
        ],
      ]);
    }
  });

  it('is not one that only a campaign has: its estimate takes every field of it', async () => {
    const { to: _to, ...content } = send;
    const campaign = { name: 'Sale', draft: true, rate_per_minute: 10, scheduled_at: '2099-01-01T10:00:00Z' };
    const estimate = await v1.post('/campaigns/estimate', { ...campaign, ...content, audience: { filter: {} } });
    expect(estimate).toMatchObject({ status: 200, body: { audience: 0 } });
  });

  it('may be any name in a map of the caller', async () => {
    const answer = await v1.post('/send', {
      ...send,
      to: v1.sms.recipient(),
      variables: { code: 1, scheduledAt: 'x' },
    });
    expect(answer.body.fields ?? []).toEqual([]);
  });

  it.each(['page=2', 'state=failed', 'utm_source=x', '__proto__=1'])(
    'is refused in the query string of v1 (%s)',
    async (query) => {
      const [name] = query.split('=');
      const { status, body } = await v1.get(`/messages?${query}`);
      expect([status, body.code, body.fields]).toMatchObject([400, 'INVALID_REQUEST', [{ field: name }]]);
    },
  );

  it.each([
    ['GET', `/api/v1/sms/delivery/${newId()}?expand=events`, 'expand'],
    ['POST', '/api/v1/sms/send?scheduled_at=2099-01-01T10:00:00Z', 'scheduled_at'],
    ['POST', `/api/v1/sms/campaigns/${newId()}/start?now=1`, 'now'],
  ])('is refused in the query string of %s %s, which has no parameters', async (method, path, field) => {
    const answer = await call(v1.sms, path, { method, key: v1.tenant.key });
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.body['fields']).toMatchObject([{ field }]);
  });

  it('is checked after the key and the scope', async () => {
    const noKey = await call(v1.sms, '/api/v1/sms/messages?page=2');
    expect(noKey.status).toBe(401);
    const reader = await v1.sms.tenants.key(v1.tenant.organizationId, { scopes: ['sms:read'] });
    expect((await v1.post('/send', { ...send, unknown: 1 }, reader)).status).toBe(403);
  });

  it('makes a request with the same Idempotency-Key another one', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const to = v1.sms.recipient();
    const fields = { from: v1.tenant.sender.header, to, message: '1' };
    const post = (body: object) =>
      call(v1.sms, '/sms/send', { method: 'POST', key: v1.tenant.key, headers, json: body });
    const first = await post({ ...fields, scheduledat: 'x' });
    const corrected = await post(fields);
    expect([first.status, corrected.status, corrected.body['code']]).toEqual([400, 409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('names the field of the unversioned send that was probably meant', async () => {
    const fields = { from: v1.tenant.sender.header, to: v1.sms.recipient(), message: '1' };
    const answer = await postJson(v1.sms, v1.tenant.key, { ...fields, ScheduledAt: '2099-01-01T10:00:00Z' });
    expect(answer.body).toEqual({
      code: 'INVALID_REQUEST',
      message: 'ScheduledAt is not a field of this call. Did you mean scheduledAt?',
    });
    const other = await postJson(v1.sms, v1.tenant.key, { ...fields, reference: 'order 7' });
    expect(other.body['message']).toBe(
      'reference is not a field of this call. `reference` is a field of POST /api/v1/sms/send.',
    );
  });

  it('is refused in the query string of a JSON send if it is a field of the body', async () => {
    const json = { from: v1.tenant.sender.header, to: v1.sms.recipient(), message: '1' };
    const post = (query: string) => call(v1.sms, `/sms/send?${query}`, { method: 'POST', key: v1.tenant.key, json });
    const refused = await post('scheduledAt=2099-01-01T10:00:00Z');
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      'scheduledAt is not a query parameter of this call. Send it in the body.',
    ]);
    expect((await post('utm_source=x')).status).toBe(200);
  });
});
