import { hashNewPassword, verifyPassword } from '@heliograph/users';
import { AccountFixture, cookieOf, PASSWORD, type Answer, type Tenant } from './account-fixture';

describe('POST /api/auth/login', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.sharedBehindProxy();
    tenant = await fixture.tenant();
  });

  const login = (body: unknown, headers: Record<string, string> = {}) =>
    fixture.call<{ session: Record<string, string> }>('POST', '/api/auth/login', { body, headers });
  const right = () => ({ email: tenant.owner.email, password: PASSWORD });

  it('creates a session of seven days', async () => {
    const answer = await login(right());
    expect(answer).toMatchObject({ status: 200, ok: true });
    expect(Object.keys(answer.data)).toEqual(['session']);
    expect(Object.keys(answer.data.session)).toEqual(['id', 'userId', 'expiresAt']);
    expect(answer.data.session['userId']).toBe(tenant.owner.id);
    expect(answer.data.session['expiresAt']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const lasts = Date.parse(answer.data.session['expiresAt']!) - Date.now();
    expect(Math.abs(lasts - 7 * 24 * 3_600_000)).toBeLessThan(60_000);
  });

  it('ignores case and surrounding spaces of the address', async () => {
    const answer = await login({ email: `  ${tenant.owner.email.toUpperCase()} `, password: PASSWORD });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['an empty body', ''],
    ['broken JSON', '{"email":'],
    ['a form', 'email=a@b.example&password=x'],
  ])('returns 400 INVALID_REQUEST for %s', async (_what, body) => {
    expect(await login(body)).toMatchObject({ status: 400, ok: false, error: { code: 'INVALID_REQUEST' } });
  });

  it.each([
    ['an array', '[]', 'body'],
    ['null', 'null', 'body'],
    ['a JSON string', '"x"', 'body'],
    ['a missing email', { password: 'x' }, 'email'],
    ['a missing password', { email: 'a@b.example' }, 'password'],
    ['a number as the email', { email: 1, password: 'x' }, 'email'],
    ['null as the password', { email: 'a@b.example', password: null }, 'password'],
    ['an empty password', { email: 'a@b.example', password: '' }, 'password'],
    ['an array as the code', { email: 'a@b.example', password: 'x', code: ['1'] }, 'code'],
    ['a password that is too long', { email: 'a@b.example', password: 'x'.repeat(1_025) }, 'password'],
    ['NUL in the email', { email: 'a\0@b.example', password: 'x' }, 'email'],
    ['an unpaired surrogate in the email', '{"email":"a\\ud800@b.example","password":"x"}', 'email'],
    ['NUL in the password', { email: 'a@b.example', password: 'x\0' }, 'password'],
    ['an unpaired surrogate in the password', '{"email":"a@b.example","password":"x\\ud800"}', 'password'],
  ])('returns 422 VALIDATION_ERROR for %s and names the field', async (_what, body, field) => {
    const answer = await login(body);
    expect(answer).toMatchObject({ status: 422, ok: false, error: { code: 'VALIDATION_ERROR' } });
    expect(answer.error.message).toMatch(new RegExp(`^${field}: `));
  });

  it('names every invalid field', async () => {
    const { error } = await login({ code: 1 });
    for (const field of ['email: ', 'password: ', 'code: ']) expect(error.message).toContain(field);
  });

  it('returns the same 401 AUTH_INVALID_CREDENTIALS for an unknown email and a wrong password', async () => {
    const wrong = await login({ email: tenant.owner.email, password: 'not the password' });
    const unknown = await login({ email: 'nobody@example.com', password: 'not the password' });
    expect(wrong).toMatchObject({ status: 401, error: { code: 'AUTH_INVALID_CREDENTIALS' } });
    expect(unknown.error).toEqual(wrong.error);
    const comparableHeaders = ({ headers }: Answer<unknown>) =>
      Object.fromEntries([...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'));
    expect(comparableHeaders(unknown)).toEqual(comparableHeaders(wrong));
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  it('takes as long for an unknown email as for a wrong password', async () => {
    const owners = [(await fixture.tenant()).owner, (await fixture.tenant()).owner];
    for (const { id, email } of owners) {
      const hash = await hashNewPassword(PASSWORD, [email]);
      await fixture.database.query('UPDATE users.users SET password_hash = $2 WHERE id = $1', [id, hash]);
    }
    const timed = async (work: () => Promise<unknown>) => {
      const startedAt = performance.now();
      await work();
      return performance.now() - startedAt;
    };
    const tried = (email: string) => timed(() => login({ email, password: 'not the password' }));
    const stored = await hashNewPassword(PASSWORD, []);
    const times = { known: [] as number[], unknown: [] as number[], hash: [] as number[] };
    // Measures alternately, so that load slows all of them alike. The number of failures per owner stays below the lockout.
    for (let round = 0; round < 16; round++) {
      times.known.push(await tried(owners[round % 2]!.email));
      times.unknown.push(await tried(`nobody-${round}@example.com`));
      times.hash.push(await timed(() => verifyPassword(stored, 'not the password')));
    }
    // Each request computes a hash, so even the fastest one takes as long as a hash alone. Load only makes the others slower.
    const fastestHash = Math.min(...times.hash);
    expect(Math.min(...times.unknown)).toBeGreaterThan(0.9 * fastestHash);
    expect(Math.min(...times.known)).toBeGreaterThan(0.9 * fastestHash);
  });

  it('sets an HttpOnly cookie with SameSite=Lax', async () => {
    const { headers } = await login(right());
    const line = headers.getSetCookie().find((cookie) => cookie.startsWith('session='));
    expect(line).toMatch(/^session=[\w-]{43}; Max-Age=604800; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  });

  it('sets a Secure __Host- cookie behind a proxy that terminates TLS', async () => {
    const { headers } = await login(right(), { 'x-forwarded-proto': 'https' });
    const lines = headers.getSetCookie();
    expect(lines.map((line) => line.split('=')[0])).toEqual(['__Host-session', '__Host-device']);
    for (const line of lines) expect(line).toMatch(/; Path=\/; .*; HttpOnly; Secure; SameSite=Lax$/);
    for (const line of lines) expect(line).not.toContain('Domain');
    const cookie = cookieOf({ headers }, '__Host-session');
    const getSession = (secure: boolean) =>
      fixture.call('GET', '/api/auth/session', {
        cookie,
        headers: secure ? { 'x-forwarded-proto': 'https' } : {},
      });
    expect((await getSession(true)).status).toBe(200);
    expect(await getSession(false)).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
  });

  it('stores only the hash of the token', async () => {
    const token = (await fixture.login(tenant.owner.email)).slice('session='.length);
    const rows = await fixture.database.query<{ found: boolean }>(
      `SELECT s::text LIKE '%' || $1 || '%' AS found FROM users.sessions AS s`,
      [token],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ found }) => found)).toBe(false);
  });

  it('ends the previous session of the browser', async () => {
    const before = await fixture.login(tenant.owner.email);
    const answer = await login(right(), { cookie: before });
    expect(cookieOf(answer, 'session')).not.toBe(before);
    expect((await fixture.call('GET', '/api/auth/session', { cookie: before })).error.code).toBe(
      'AUTH_SESSION_EXPIRED',
    );
  });

  it('does not reuse a session token that was set by an attacker', async () => {
    const planted = `session=${'x'.repeat(43)}`;
    const answer = await login(right(), { cookie: planted });
    expect(cookieOf(answer, 'session')).not.toBe(planted);
    expect((await fixture.call('GET', '/api/auth/session', { cookie: planted })).status).toBe(401);
  });

  it.each(['"userId":"x"', '"role":"owner"', '"__proto__":{"code":1}', '"constructor":{"prototype":{}}'])(
    'refuses the unknown field %s',
    async (field) => {
      const answer = await login(`{"email":"${tenant.owner.email}","password":"${PASSWORD}",${field}}`);
      expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    },
  );
});
