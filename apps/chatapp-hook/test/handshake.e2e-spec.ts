import { httpCall } from '@heliograph/testing';
import { HookFixture, PATH, TOKEN } from './hook-fixture';

describe('the handshake', () => {
  let hook: HookFixture;
  beforeAll(async () => {
    hook = await HookFixture.shared();
  });

  const call = (query: string, { url = hook.service.url, method = 'GET' } = {}) =>
    httpCall(`${url}${PATH}${query}`, { method });
  const queryOf = (parameters: Record<string, string>) =>
    `?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': TOKEN, 'hub.challenge': '1158201444', ...parameters })}`;

  it('with the correct token returns 200, text/plain and exactly the challenge', async () => {
    const answer = await call(queryOf({}));
    expect([answer.status, answer.text]).toEqual([200, '1158201444']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain\b/);
  });

  it.each([
    ['markup', '<script>alert(1)</script>'],
    ['text that looks like JSON', '{"a": [1, "b"]}'],
    ['spaces, symbols and other scripts', ' a+b&c=%20 ü 日本 👋 '],
    ['nothing', ''],
    ['8,000 digits', '9'.repeat(8_000)],
    ['nothing', ''],
  ])('returns a challenge of %s', async (_what, challenge) => {
    const answer = await call(queryOf({ 'hub.challenge': challenge }));
    expect([answer.status, answer.text]).toEqual([200, challenge]);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain\b/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('returns no body for HEAD', async () => {
    const answer = await call(queryOf({}), { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it.each([
    ['no parameters', ''],
    ['another mode', queryOf({ 'hub.mode': 'unsubscribe' })],
    ['a wrong token', queryOf({ 'hub.verify_token': 'nonsense' })],
    ['a token in a different case', queryOf({ 'hub.verify_token': TOKEN.toUpperCase() })],
    ['a token with a space', queryOf({ 'hub.verify_token': `${TOKEN} ` })],
    ['an empty token', queryOf({ 'hub.verify_token': '' })],
    ['no token', `?hub.mode=subscribe&hub.challenge=1`],
    ['a repeated mode', `${queryOf({})}&hub.mode=subscribe`],
    ['a repeated token', `${queryOf({})}&hub.verify_token=${encodeURIComponent(TOKEN)}`],
    ['a repeated challenge', `${queryOf({})}&hub.challenge=2`],
    ['nested parameters', `?hub[mode]=subscribe&hub[verify_token]=${encodeURIComponent(TOKEN)}&hub[challenge]=1`],
    ['an array', queryOf({}).replace('hub.verify_token', 'hub.verify_token[]')],
    ['underscores', queryOf({}).replaceAll('hub.', 'hub_')],
    ['invalid percent-encoding', '?hub.mode=%&hub.verify_token=%zz'],
    ['thousands of parameters', `?${'a=1&'.repeat(3_000)}`],
  ])('with %s returns 403 FORBIDDEN', async (_what, query) => {
    const answer = await call(query);
    expect([answer.status, answer.body]).toEqual([403, { code: 'FORBIDDEN', message: expect.any(String) as string }]);
  });

  it('always fails without a configured token, even with an empty token', async () => {
    const other = await hook.beside({ CHATAPP_VERIFY_TOKEN: '' });
    try {
      for (const token of ['', 'undefined', TOKEN]) {
        const { status } = await call(queryOf({ 'hub.verify_token': token }), { url: other.url });
        expect(status).toBe(403);
      }
    } finally {
      await other.stop();
    }
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('by %s returns 405 with Allow', async (method) => {
    const answer = await call(queryOf({}), { method });
    expect([answer.status, answer.body['code']]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.get('allow')).toMatch(/\bGET\b.*\bPOST\b/);
  });

  it.each(['/api/chatapp/webhook/x', '/chatapp/webhook', '/api/chatapp'])('is not available at %s', async (path) => {
    const answer = await httpCall(`${hook.service.url}${path}${queryOf({})}`);
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
  });
});
