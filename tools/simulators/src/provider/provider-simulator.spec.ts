import { ProviderFixture, VERSION } from './provider.fixture';

const TO = '+491511234567';
const TEXT = { type: 'text', text: { body: 'hello' } };

let fixture: ProviderFixture;

beforeEach(async () => {
  fixture = await ProviderFixture.start();
  fixture.provider.receive({ from: TO, message: { type: 'text' } });
});

afterEach(() => fixture.stop());

describe('the provider simulator', () => {
  it('requires a token', async () => {
    const { phoneNumberId } = fixture.provider.account;
    const refused = { status: 401, body: { error: { code: 190, type: 'OAuthException' } } };
    expect(await fixture.call('POST', `/${phoneNumberId}/messages`, TEXT, 'other')).toMatchObject(refused);
    expect(await fixture.call('GET', fixture.templatesPath, undefined, '')).toMatchObject(refused);
    const bare = await fetch(`${fixture.provider.url}/${VERSION}/${phoneNumberId}/messages`, {
      method: 'POST',
      body: '{}',
    });
    expect(bare.status).toBe(401);
  });

  it.each([
    ['POST', '/123/messages', 33],
    ['DELETE', '/123', 33],
    ['PATCH', '/200000000000002/message_templates', 33],
  ])('rejects %s %s', async (method, path, subcode) => {
    expect(await fixture.call(method, path)).toMatchObject({
      status: 400,
      body: { error: { code: 100, error_subcode: subcode, type: 'GraphMethodException' } },
    });
  });

  it('rejects unknown paths', async () => {
    const { url } = fixture.provider;
    for (const path of ['/', '/v21.0', '/v21.0/', '/21/1/messages', '/v21.0/100000000000001/calls', '/v21.0/1/2/3']) {
      expect((await fixture.request(`${url}${path}`, { method: 'POST' })).status).toBe(400);
    }
  });

  it.each([
    ['not JSON', '{', 'application/json', 'JSON'],
    ['a form', 'to=491', 'application/x-www-form-urlencoded', 'JSON'],
    ['too large', `"${'x'.repeat(1_000_001)}"`, 'application/json', '1000000'],
    [
      'a prototype pollution attempt',
      '{"__proto__": {"messaging_product": "chatapp"}}',
      'application/json',
      'messaging_product',
    ],
  ])('rejects a body that is %s', async (_, body, type, details) => {
    const url = `${fixture.provider.url}/${VERSION}/${fixture.provider.account.phoneNumberId}/messages`;
    const response = await fixture.request(url, { method: 'POST', body, headers: { 'Content-Type': type } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 100, error_data: { details: expect.stringContaining(details) } },
    });
  });

  it('logs all calls, including rejected ones', async () => {
    await fixture.send(TEXT);
    await fixture.send({ type: 'poll' }, '+49 (30) 1234567');
    await fixture.call('GET', `${fixture.templatesPath}?limit=5`);
    const path = `/${VERSION}/${fixture.provider.account.phoneNumberId}/messages`;
    expect(fixture.provider.requests()).toMatchObject([
      { method: 'POST', path, query: {}, body: { to: TO, text: { body: 'hello' } } },
      { method: 'POST', path, body: { to: '+49 (30) 1234567', type: 'poll' } },
      { method: 'GET', path: `/${VERSION}${fixture.templatesPath}`, query: { limit: '5' }, body: null },
    ]);
    expect(fixture.provider.requests('49301234567')).toHaveLength(1);
    expect(fixture.provider.messages(TO)).toMatchObject([{ to: TO, type: 'text', category: 'service' }]);
    fixture.provider.forgetRequests();
    expect(fixture.provider.requests()).toEqual([]);
  });

  it('returns an error for one recipient or for every call', async () => {
    const error = { status: 429, code: 130429, message: 'Rate limit hit' };
    fixture.provider.behave({ error }, '49 1511234567');
    expect(await fixture.send(TEXT)).toMatchObject({
      status: 429,
      body: { error: { code: 130429, message: 'Rate limit hit' } },
    });
    expect(await fixture.call('GET', fixture.templatesPath)).toMatchObject({ status: 200 });
    fixture.provider.behave({ error: { ...error, status: 400 } });
    expect(await fixture.call('GET', fixture.templatesPath)).toMatchObject({ status: 400 });
    fixture.provider.behave({}, TO);
    expect(await fixture.send(TEXT)).toMatchObject({ status: 200 });
    expect(fixture.provider.messages()).toHaveLength(1);
  });

  it('closes the connection before or after processing a call', async () => {
    fixture.provider.behave({ unreachable: true });
    await expect(fixture.send(TEXT)).rejects.toThrow();
    await expect(fixture.upload(new Blob(['x']), 'x')).rejects.toThrow();
    expect(fixture.provider.messages()).toEqual([]);
    expect(fixture.provider.requests(TO)).toHaveLength(1);
    fixture.provider.behave({ answerLost: true });
    await expect(fixture.send({ ...TEXT, biz_opaque_callback_data: 'ours' })).rejects.toThrow();
    expect(fixture.provider.messages()).toMatchObject([{ callbackData: 'ours' }]);
  });

  it('delays its responses', async () => {
    fixture.provider.behave({ delayMs: 50 });
    const startedAt = performance.now();
    expect(await fixture.send(TEXT)).toMatchObject({ status: 200 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49);
    fixture.provider.behave({ delayMs: 3_600_000 });
    const hanging = fixture.send(TEXT);
    const failed = expect(hanging).rejects.toThrow();
    await fixture.provider.stop();
    await failed;
  });

  it('posts statuses before it responds to a send', async () => {
    fixture.provider.behave({ statusFirst: ['sent', 'delivered'] });
    const { body } = await fixture.send({ ...TEXT, biz_opaque_callback_data: 'ours' });
    const [{ id }] = body['messages'] as [{ id: string }];
    const statuses = fixture.webhooks.map(
      ({ raw }) => JSON.parse(raw.toString()).entry[0].changes[0].value.statuses[0],
    );
    expect(statuses).toMatchObject([
      { id, status: 'sent', biz_opaque_callback_data: 'ours' },
      { id, status: 'delivered', biz_opaque_callback_data: 'ours' },
    ]);
    fixture.provider.hookUrl = 'http://127.0.0.1:1/';
    expect(await fixture.send(TEXT)).toMatchObject({ status: 200 });
  });
});
