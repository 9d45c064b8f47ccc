import { PlatformFixture, VERSION } from './platform.fixture';

const TO = '+491511234567';
const TEXT = { type: 'text', text: { body: 'hello' } };

let fixture: PlatformFixture;

beforeEach(async () => {
  fixture = await PlatformFixture.start();
  fixture.platform.receive({ from: TO, message: { type: 'text' } });
});

afterEach(() => fixture.stop());

describe('the platform simulator', () => {
  it('asks every call for its token', async () => {
    const { phoneNumberId } = fixture.platform.account;
    const refused = { status: 401, body: { error: { code: 190, type: 'OAuthException' } } };
    expect(await fixture.call('POST', `/${phoneNumberId}/messages`, TEXT, 'other')).toMatchObject(refused);
    expect(await fixture.call('GET', fixture.templatesPath, undefined, '')).toMatchObject(refused);
    const bare = await fetch(`${fixture.platform.url}/${VERSION}/${phoneNumberId}/messages`, {
      method: 'POST',
      body: '{}',
    });
    expect(bare.status).toBe(401);
  });

  it.each([
    ['POST', '/123/messages', 33],
    ['POST', '/123/media', 33],
    ['GET', '/123/message_templates', 33],
    ['DELETE', '/123', 33],
    ['GET', '/100000000000001/messages', 33],
    ['PATCH', '/200000000000002/message_templates', 33],
  ])('knows nothing of %s %s', async (method, path, subcode) => {
    expect(await fixture.call(method, path)).toMatchObject({
      status: 400,
      body: { error: { code: 100, error_subcode: subcode, type: 'GraphMethodException' } },
    });
  });

  it('knows no other paths', async () => {
    const { url } = fixture.platform;
    for (const path of ['/', '/v21.0', '/v21.0/', '/21/1/messages', '/v21.0/100000000000001/calls', '/v21.0/1/2/3']) {
      expect((await fixture.request(`${url}${path}`, { method: 'POST' })).status).toBe(400);
    }
  });

  it.each([
    ['no JSON', '{', 'application/json', 'JSON'],
    ['a form', 'to=491', 'application/x-www-form-urlencoded', 'JSON'],
    ['no type', '{}', 'text/plain', 'Content-Type'],
    ['an array', '[]', 'application/json', 'messaging_product'],
    ['nothing', '', 'application/json', 'messaging_product'],
    ['too much', `"${'x'.repeat(1_000_001)}"`, 'application/json', '1000000'],
    ['a prototype', '{"__proto__": {"messaging_product": "chatapp"}}', 'application/json', 'messaging_product'],
  ])('refuses a body that is %s', async (_, body, type, told) => {
    const url = `${fixture.platform.url}/${VERSION}/${fixture.platform.account.phoneNumberId}/messages`;
    const response = await fixture.request(url, { method: 'POST', body, headers: { 'Content-Type': type } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 100, error_data: { details: expect.stringContaining(told) } },
    });
  });

  it('keeps what arrived, the refused too', async () => {
    await fixture.send(TEXT);
    await fixture.send({ type: 'poll' }, '+49 (30) 1234567');
    await fixture.call('GET', `${fixture.templatesPath}?limit=5`);
    const path = `/${VERSION}/${fixture.platform.account.phoneNumberId}/messages`;
    expect(fixture.platform.requests()).toMatchObject([
      { method: 'POST', path, query: {}, body: { to: TO, text: { body: 'hello' } } },
      { method: 'POST', path, body: { to: '+49 (30) 1234567', type: 'poll' } },
      { method: 'GET', path: `/${VERSION}${fixture.templatesPath}`, query: { limit: '5' }, body: null },
    ]);
    expect(fixture.platform.requests('49301234567')).toHaveLength(1);
    expect(fixture.platform.messages(TO)).toMatchObject([{ to: TO, type: 'text', category: 'service' }]);
    fixture.platform.forgetRequests();
    expect(fixture.platform.requests()).toEqual([]);
  });

  it('keeps no requests where that is not wanted', async () => {
    await fixture.stop();
    fixture = await PlatformFixture.start({ keepRequests: false });
    await fixture.send(TEXT);
    expect(fixture.platform.requests()).toEqual([]);
  });

  it('refuses what it is told to refuse, for one recipient or every call', async () => {
    const error = { status: 429, code: 130429, message: 'Rate limit hit' };
    fixture.platform.behave({ error }, '49 1511234567');
    expect(await fixture.send(TEXT)).toMatchObject({
      status: 429,
      body: { error: { code: 130429, message: 'Rate limit hit' } },
    });
    expect(await fixture.call('GET', fixture.templatesPath)).toMatchObject({ status: 200 });
    fixture.platform.behave({ error: { ...error, status: 400 } });
    expect(await fixture.call('GET', fixture.templatesPath)).toMatchObject({ status: 400 });
    fixture.platform.behave({}, TO);
    expect(await fixture.send(TEXT)).toMatchObject({ status: 200 });
    expect(fixture.platform.messages()).toHaveLength(1);
  });

  it('cuts the connection before or after its work', async () => {
    fixture.platform.behave({ unreachable: true });
    await expect(fixture.send(TEXT)).rejects.toThrow();
    await expect(fixture.upload(new Blob(['x']), 'x')).rejects.toThrow();
    expect(fixture.platform.messages()).toEqual([]);
    expect(fixture.platform.requests(TO)).toHaveLength(1);
    fixture.platform.behave({ answerLost: true });
    await expect(fixture.send({ ...TEXT, biz_opaque_callback_data: 'ours' })).rejects.toThrow();
    expect(fixture.platform.messages()).toMatchObject([{ callbackData: 'ours' }]);
  });

  it('takes its time', async () => {
    fixture.platform.behave({ delayMs: 50 });
    const startedAt = performance.now();
    expect(await fixture.send(TEXT)).toMatchObject({ status: 200 });
    // Timers count in whole milliseconds.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49);
    fixture.platform.behave({ delayMs: 3_600_000 });
    const hanging = fixture.send(TEXT);
    const failed = expect(hanging).rejects.toThrow();
    await fixture.platform.stop();
    await failed;
  });

  it('tells of a status before it answers the send', async () => {
    fixture.platform.behave({ statusFirst: ['sent', 'delivered'] });
    const { body } = await fixture.send({ ...TEXT, biz_opaque_callback_data: 'ours' });
    const [{ id }] = body['messages'] as [{ id: string }];
    const statuses = fixture.webhooks.map(
      ({ raw }) => JSON.parse(raw.toString()).entry[0].changes[0].value.statuses[0],
    );
    expect(statuses).toMatchObject([
      { id, status: 'sent', biz_opaque_callback_data: 'ours' },
      { id, status: 'delivered', biz_opaque_callback_data: 'ours' },
    ]);
    fixture.platform.hookUrl = 'http://127.0.0.1:1/';
    expect(await fixture.send(TEXT)).toMatchObject({ status: 200 });
  });

  it('counts repeats by recipient and callback data', async () => {
    for (const data of ['a', 'a', 'b']) await fixture.send({ ...TEXT, biz_opaque_callback_data: data });
    expect(fixture.platform.totals).toEqual({ accepted: 3, distinct: 2 });
  });
});
