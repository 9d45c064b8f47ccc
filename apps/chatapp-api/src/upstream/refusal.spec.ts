import { readRefusal, toAppError, unanswered, unreachable } from './refusal';

const SECRET = 'EAAG-the-token';
const envelope = (code: unknown, more: object = {}) => ({
  error: { message: `(#${String(code)}) Something`, type: 'OAuthException', code, fbtrace_id: 'A', ...more },
});
const read = (status: number, json: unknown, headers: Record<string, string> = {}) =>
  readRefusal({ status, json, headers }, SECRET);

describe('an error of the provider', () => {
  it.each<[number, string]>([
    [4, 'CHATAPP_RATE_LIMITED'],
    [80007, 'CHATAPP_RATE_LIMITED'],
    [130429, 'CHATAPP_RATE_LIMITED'],
    [131048, 'CHATAPP_RATE_LIMITED'],
    [131056, 'CHATAPP_RATE_LIMITED'],
    [100, 'CHATAPP_REQUEST_INVALID'],
    [131008, 'CHATAPP_REQUEST_INVALID'],
    [131009, 'CHATAPP_REQUEST_INVALID'],
    [131026, 'CHATAPP_REQUEST_INVALID'],
    [131047, 'CHATAPP_REQUEST_INVALID'],
    [131051, 'CHATAPP_REQUEST_INVALID'],
    [131052, 'CHATAPP_REQUEST_INVALID'],
    [131053, 'CHATAPP_REQUEST_INVALID'],
    [132000, 'CHATAPP_REQUEST_INVALID'],
    [132001, 'CHATAPP_REQUEST_INVALID'],
    [132012, 'CHATAPP_REQUEST_INVALID'],
    [132015, 'CHATAPP_REQUEST_INVALID'],
    [132016, 'CHATAPP_REQUEST_INVALID'],
    [133010, 'CHATAPP_REQUEST_INVALID'],
    [190, 'CHATAPP_UPSTREAM'],
    [10, 'CHATAPP_UPSTREAM'],
    [3, 'CHATAPP_UPSTREAM'],
    [200, 'CHATAPP_UPSTREAM'],
    [299, 'CHATAPP_UPSTREAM'],
    [1, 'CHATAPP_UPSTREAM'],
    [2, 'CHATAPP_UPSTREAM'],
  ])('maps the code %i to %s for every HTTP status except 429', (upstreamCode, code) => {
    for (const status of [200, 400, 404, 500]) {
      expect(read(status, envelope(upstreamCode))).toMatchObject({ code, upstreamCode, title: 'Something' });
    }
  });

  it.each<[number, string]>([
    [400, 'CHATAPP_REQUEST_INVALID'],
    [404, 'CHATAPP_REQUEST_INVALID'],
    [401, 'CHATAPP_UPSTREAM'],
    [403, 'CHATAPP_UPSTREAM'],
    [429, 'CHATAPP_RATE_LIMITED'],
    [500, 'CHATAPP_UPSTREAM'],
    [503, 'CHATAPP_UPSTREAM'],
    [302, 'CHATAPP_UPSTREAM'],
  ])('maps the status %i with an unknown or missing code to %s', (status, code) => {
    expect(read(status, envelope(999_999))).toMatchObject({ code, upstreamCode: 999_999 });
    for (const json of [undefined, null, 'down', [], { error: 'x' }, { error: null }, envelope('x', { message: 7 })]) {
      expect(read(status, json)).toMatchObject({ code, upstreamCode: null, title: expect.any(String) as string });
    }
  });

  it('maps the status 429 to a rate limit for every code', () => {
    for (const upstreamCode of [1, 100, 190, 200]) {
      expect(read(429, envelope(upstreamCode))).toMatchObject({ code: 'CHATAPP_RATE_LIMITED', retryAfterSeconds: 5 });
    }
  });

  it.each<[string | undefined, number, number]>([
    ['7', 131056, 7],
    [undefined, 131056, 6],
    [undefined, 130429, 1],
    [undefined, 80007, 60],
    [undefined, 4, 60],
    [undefined, 131048, 60],
    ['0', 131056, 6],
    ['-1', 131056, 6],
    ['1e9', 131056, 6],
    ['99999', 131056, 6],
    ['soon', 999_999, 5],
  ])('derives the waiting time from Retry-After %s and the code %i: %i seconds', (header, upstreamCode, seconds) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
    const refusal = read(429, envelope(upstreamCode), headers);
    expect(refusal.retryAfterSeconds).toBe(seconds);
    expect(toAppError(refusal)).toMatchObject({ status: 429, headers: { 'Retry-After': String(seconds) } });
  });

  it('accepts a date in Retry-After', () => {
    const at = new Date(Date.now() + 30_000).toUTCString();
    const { retryAfterSeconds } = read(429, envelope(4), { 'retry-after': at });
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(28);
    expect(retryAfterSeconds).toBeLessThanOrEqual(30);
  });

  it('has Retry-After only for a rate limit', () => {
    expect(read(500, envelope(1), { 'retry-after': '7' }).retryAfterSeconds).toBeNull();
  });

  it('has a title of one line with at most 500 characters, without the token, NUL and unpaired surrogates', () => {
    const message = `a\r\nb\0c \u2028${SECRET} \ud800 ${'x'.repeat(9_000)}`;
    const { title } = read(400, envelope(100, { message }));
    expect(title).toMatch(/^a b c … \ufffd x+$/);
    expect(title).toHaveLength(500);
    expect(title.isWellFormed()).toBe(true);
  });

  it('has the user-facing title if there is one, and contains the details of both kinds', () => {
    expect(
      read(400, envelope(100, { error_user_title: 'Too long', error_user_msg: 'Shorten it.', error_subcode: 2388040 })),
    ).toMatchObject({ title: 'Too long', details: 'Shorten it.', upstreamSubcode: 2388040 });
    expect(read(400, envelope(131009, { error_data: { details: `Not ${SECRET}` } })).details).toBe('Not …');
  });

  it('tells the caller what is wrong with the request, but no details of the provider account', () => {
    const wrong = toAppError(read(400, envelope(132000, { error_data: { details: 'body: 1 of 2' } })));
    expect(wrong).toMatchObject({ code: 'CHATAPP_REQUEST_INVALID', status: 400 });
    expect(wrong.message).toMatch(/Something\. body: 1 of 2\. /);
    const token = toAppError(read(401, envelope(190, { message: 'Session of user 42 has expired' })));
    expect([token.code, token.status]).toEqual(['CHATAPP_UPSTREAM', 502]);
    expect(token.message).not.toMatch(/42|token/i);
  });
});

describe('a missing response of the provider', () => {
  it('is mapped to CHATAPP_UPSTREAM', () => {
    expect(toAppError(unreachable('ECONNREFUSED'))).toMatchObject({ code: 'CHATAPP_UPSTREAM', status: 502 });
    expect(unanswered('ETIMEDOUT')).toMatchObject({ code: 'CHATAPP_UPSTREAM', status: 502 });
  });
});
