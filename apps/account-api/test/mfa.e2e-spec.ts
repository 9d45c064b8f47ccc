import { AccountFixture, cookieOf, PASSWORD } from './account-fixture';
import { codeOf, timeInStep, wrongCodeOf } from './authenticator-app';
import { MailTap } from './mail-tap';

interface Enrolled {
  email: string;
  cookie: string;
  secret: string;
  recoveryCodes: string[];
}

describe('the second factor', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    mails = await MailTap.on(fixture);
  });
  afterAll(() => mails.stop());

  const person = async () => {
    await timeInStep();
    const { owner, organizationId } = await fixture.tenant();
    return { email: owner.email, id: owner.id, organizationId, cookie: await fixture.login(owner.email) };
  };
  const post = <T>(cookie: string, path: string, body: unknown) =>
    fixture.call<T>('POST', `/api/auth/mfa${path}`, { cookie, body });
  const status = async (cookie: string) => (await fixture.call('GET', '/api/auth/mfa', { cookie })).data;
  const login = (email: string, code?: string, password = PASSWORD) =>
    fixture.call('POST', '/api/auth/login', { body: { email, password, ...(code === undefined ? {} : { code }) } });
  /** Confirms with the code of the previous step, so that the codes of the current and the next step remain unused. */
  const enrolled = async (): Promise<Enrolled> => {
    const { email, cookie } = await person();
    const { secret } = (await post<{ secret: string }>(cookie, '', { password: PASSWORD })).data;
    const confirmed = await post<{ recoveryCodes: string[] }>(cookie, '/confirm', { code: codeOf(secret, -1) });
    if (confirmed.status !== 200) throw new Error(`not confirmed: ${JSON.stringify(confirmed.error)}`);
    return { email, cookie, secret, recoveryCodes: confirmed.data.recoveryCodes };
  };
  const invalid = { status: 401, ok: false, error: { code: 'AUTH_INVALID_CREDENTIALS' } };

  it('is enrolled with the password, is enabled by a code, and sends a notice', async () => {
    const { email, cookie, organizationId } = await person();
    expect(await status(cookie)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(await post(cookie, '', { password: 'not the password' })).toMatchObject(invalid);
    const { data } = await post<{ secret: string; uri: string }>(cookie, '', { password: PASSWORD });
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(data.uri);
    expect([uri.protocol, uri.host, uri.searchParams.get('issuer')]).toEqual(['otpauth:', 'totp', 'Heliograph']);
    expect(uri.searchParams.get('secret')).toBe(data.secret);
    expect(decodeURIComponent(uri.pathname)).toContain(email);
    expect((await login(email)).status).toBe(200);
    expect(await post(cookie, '/confirm', { code: wrongCodeOf(data.secret) })).toMatchObject(invalid);
    const confirmed = await post<{ recoveryCodes: string[] }>(cookie, '/confirm', { code: codeOf(data.secret) });
    expect(new Set(confirmed.data.recoveryCodes).size).toBe(10);
    expect(await status(cookie)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    expect(await login(email)).toMatchObject({ status: 403, error: { code: 'AUTH_MFA_REQUIRED' } });
    expect((await mails.newest(email, 'security-notice')).content.subject).toBe(
      'Multi-factor authentication was enabled',
    );
    const rows = await fixture.database.query(
      `SELECT actor_name, before, after FROM audit.entries WHERE organization_id = $1 AND action = 'user.mfa_enabled'`,
      [organizationId],
    );
    expect(rows).toEqual([{ actor_name: email, before: { mfaEnabled: false }, after: { mfaEnabled: true } }]);
  });

  it('row 8: ends the other sessions when it is enabled', async () => {
    const { email, id, cookie } = await person();
    const other = await fixture.login(email);
    const { secret } = (await post<{ secret: string }>(cookie, '', { password: PASSWORD })).data;
    const isAlive = async (one: string) => (await fixture.call('GET', '/api/auth/session', { cookie: one })).status;
    expect([await isAlive(cookie), await isAlive(other)]).toEqual([200, 200]);
    expect((await post(cookie, '/confirm', { code: codeOf(secret) })).status).toBe(200);
    expect([await isAlive(cookie), await isAlive(other)]).toEqual([200, 401]);
    expect(await fixture.devicesOf(id)).toBe(0);
  });

  it('row 8: forgets known devices when recovery codes are replaced and when it is disabled', async () => {
    const { email, cookie, secret, recoveryCodes } = await enrolled();
    const { id } = (await fixture.users.byEmail(email))!;
    const [one, other] = recoveryCodes;
    await login(email, one);
    expect(await fixture.devicesOf(id)).toBe(1);
    const renewed = await post<{ recoveryCodes: string[] }>(cookie, '/recovery-codes', { code: other });
    expect(await fixture.devicesOf(id)).toBe(0);
    await login(email, renewed.data.recoveryCodes[0]);
    expect(await fixture.devicesOf(id)).toBe(1);
    await fixture.call('DELETE', '/api/auth/mfa', { cookie, body: { code: codeOf(secret) } });
    expect(await fixture.devicesOf(id)).toBe(0);
  });

  it('can be confirmed once and cannot be enrolled again', async () => {
    const { cookie, secret } = await enrolled();
    const again = await post(cookie, '/confirm', { code: codeOf(secret) });
    expect(again).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
    const another = await post(cookie, '', { password: PASSWORD });
    expect(another).toMatchObject({ status: 409, error: { code: 'MFA_ALREADY_ENABLED' } });
  });

  it('is confirmed once by concurrent requests, and the returned recovery codes are valid', async () => {
    const { email, cookie } = await person();
    const { secret } = (await post<{ secret: string }>(cookie, '', { password: PASSWORD })).data;
    const code = codeOf(secret);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post<{ recoveryCodes: string[] }>(cookie, '/confirm', { code })),
    );
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect((await login(email, won!.data.recoveryCodes[0])).status).toBe(200);
  });

  it('requires a code (403 AUTH_MFA_REQUIRED) only after the correct password', async () => {
    const { email } = await enrolled();
    expect(await login(email)).toMatchObject({ status: 403, ok: false, error: { code: 'AUTH_MFA_REQUIRED' } });
    expect(await login(email, undefined, 'not the password')).toMatchObject(invalid);
  });

  it('returns 401 for a wrong code, a wrong password and malformed codes', async () => {
    const { email, secret } = await enrolled();
    for (const code of [wrongCodeOf(secret), '', '12345', '1234567', 'abcdef', '१२३४५६', `${codeOf(secret)}0`]) {
      expect(await login(email, code)).toMatchObject(invalid);
    }
    expect(await login(email, codeOf(secret), 'not the password')).toMatchObject(invalid);
    expect((await login(email, ` ${codeOf(secret)} `)).status).toBe(200);
  });

  it('accepts a code once', async () => {
    const { email, secret } = await enrolled();
    const code = codeOf(secret, 1);
    const answer = await login(email, code);
    expect(answer.status).toBe(200);
    expect(cookieOf(answer, 'session')).toBeDefined();
    expect(await login(email, code)).toMatchObject(invalid);
  });

  it('accepts a code from one of two concurrent logins', async () => {
    const { email, secret } = await enrolled();
    const code = codeOf(secret, 1);
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await login(email, code)).status));
    expect(statuses.sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  it('accepts one time step of drift, but no code older than the last accepted one', async () => {
    const { email, secret } = await enrolled();
    expect(await login(email, codeOf(secret, 3))).toMatchObject(invalid);
    expect(await login(email, codeOf(secret, -3))).toMatchObject(invalid);
    const now = codeOf(secret);
    const next = codeOf(secret, 1);
    expect((await login(email, next)).status).toBe(200);
    expect(await login(email, now)).toMatchObject(invalid);
  });

  it('accepts each recovery code once, in any notation', async () => {
    const { email, cookie, recoveryCodes } = await enrolled();
    const [one, other, third] = recoveryCodes;
    expect((await login(email, one)).status).toBe(200);
    expect(await login(email, one)).toMatchObject(invalid);
    expect((await login(email, other!.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await login(email, third)).status));
    expect(statuses.sort()).toEqual([200, 401, 401, 401]);
    expect(await status(cookie)).toEqual({ enabled: true, recoveryCodesLeft: 7 });
  });

  it('stores recovery codes only as hashes', async () => {
    const { recoveryCodes } = await enrolled();
    const rows = await fixture.database.query<{ hash: Buffer }>('SELECT hash FROM users.recovery_codes');
    const stored = rows.map(({ hash }) => hash.toString('latin1'));
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
    expect(rows.every(({ hash }) => hash.length === 32)).toBe(true);
  });

  it('replaces the recovery codes and invalidates the previous ones', async () => {
    const { email, cookie, secret, recoveryCodes } = await enrolled();
    const renew = (code: string) => post<{ recoveryCodes: string[] }>(cookie, '/recovery-codes', { code });
    expect(await renew(wrongCodeOf(secret))).toMatchObject(invalid);
    const renewed = await renew(codeOf(secret));
    expect(renewed.data.recoveryCodes).toHaveLength(10);
    expect(await login(email, recoveryCodes[0])).toMatchObject(invalid);
    expect((await login(email, renewed.data.recoveryCodes[0])).status).toBe(200);
  });

  it('can be disabled only with a code, and sends a notice', async () => {
    const { email, cookie, secret } = await enrolled();
    const remove = (body: unknown) => fixture.call('DELETE', '/api/auth/mfa', { cookie, body });
    expect(await remove({})).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    expect(await remove({ code: wrongCodeOf(secret) })).toMatchObject(invalid);
    expect((await remove({ code: codeOf(secret) })).status).toBe(204);
    expect(await status(cookie)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await login(email)).status).toBe(200);
    expect((await mails.newest(email, 'security-notice', 2)).content.subject).toBe(
      'Multi-factor authentication was disabled',
    );
    const off = { status: 409, error: { code: 'MFA_NOT_ENABLED' } };
    expect(await remove({ code: codeOf(secret, 1) })).toMatchObject(off);
    expect(await post(cookie, '/recovery-codes', { code: codeOf(secret, 1) })).toMatchObject(off);
  });

  it('requires a session and does not accept keys', async () => {
    const { key } = await fixture.tenant();
    for (const credentials of [{}, { key }]) {
      const answer = await fixture.call('POST', '/api/auth/mfa', { ...credentials, body: { password: PASSWORD } });
      expect(answer).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
    }
  });
});
