import { unique } from '@heliograph/testing';
import { AccountFixture, cookieOf, PASSWORD } from './account-fixture';
import { codeOf, timeInStep, wrongCodeOf } from './authenticator-app';

const FAILURES = 20;

describe('guessing passwords', () => {
  let fixture: AccountFixture;
  beforeAll(async () => {
    fixture = await AccountFixture.sharedBehindProxy();
  });

  const login = (email: string, password: string, from: string, more: { device?: string; code?: string } = {}) =>
    fixture.call('POST', '/api/auth/login', {
      body: { email, password, ...(more.code === undefined ? {} : { code: more.code }) },
      headers: { 'x-forwarded-for': from, ...(more.device === undefined ? {} : { cookie: more.device }) },
    });
  const guess = async (email: string, from: string, times = FAILURES, device?: string) => {
    for (let i = 0; i < times; i++) {
      const answer = await login(email, 'not the password', from, device === undefined ? {} : { device });
      expect([answer.status, answer.error.code]).toEqual([401, 'AUTH_INVALID_CREDENTIALS']);
    }
  };
  const locked = { status: 429, ok: false, error: { code: 'RATE_LIMITED' } };

  it('locks the address of the attacker for this email after twenty failures, with Retry-After', async () => {
    const { owner } = await fixture.tenant();
    await guess(owner.email, '198.51.100.1');
    const answer = await login(owner.email, PASSWORD, '198.51.100.1');
    expect(answer).toMatchObject(locked);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
    expect((await login(owner.email.toUpperCase(), PASSWORD, '198.51.100.1')).status).toBe(429);
  });

  it('does not lock other addresses: the user can log in from another address', async () => {
    const { owner } = await fixture.tenant();
    await guess(owner.email, '198.51.100.2');
    expect((await login(owner.email, PASSWORD, '198.51.100.3')).status).toBe(200);
    expect((await login(owner.email, PASSWORD, '198.51.100.2')).status).toBe(429);
  });

  it('does not lock a known browser behind the address of the attacker', async () => {
    const { owner } = await fixture.tenant();
    const device = cookieOf(await login(owner.email, PASSWORD, '198.51.100.4'), 'device');
    await guess(owner.email, '198.51.100.4');
    expect((await login(owner.email, PASSWORD, '198.51.100.4')).status).toBe(429);
    expect((await login(owner.email, PASSWORD, '198.51.100.4', { device })).status).toBe(200);
  });

  it('is not easier with a foreign or forged device cookie', async () => {
    const victim = await fixture.tenant();
    const guesser = await fixture.tenant();
    const theirs = cookieOf(await login(guesser.owner.email, PASSWORD, '198.51.100.5'), 'device');
    await guess(victim.owner.email, '198.51.100.5');
    for (const device of [theirs, `device=${'x'.repeat(43)}`]) {
      expect(await login(victim.owner.email, PASSWORD, '198.51.100.5', { device })).toMatchObject(locked);
    }
  });

  it('locks a known browser after twenty failures of its own, and no other browser', async () => {
    const { owner } = await fixture.tenant();
    const device = cookieOf(await login(owner.email, PASSWORD, '198.51.100.6'), 'device');
    await guess(owner.email, '198.51.100.6', FAILURES, device);
    expect(await login(owner.email, PASSWORD, '198.51.100.6', { device })).toMatchObject(locked);
    expect((await login(owner.email, PASSWORD, '198.51.100.6')).status).toBe(200);
  });

  it('does not lock another email at the same address', async () => {
    const one = await fixture.tenant();
    const other = await fixture.tenant();
    await guess(one.owner.email, '198.51.100.7');
    expect((await login(other.owner.email, PASSWORD, '198.51.100.7')).status).toBe(200);
  });

  it('locks an unknown email in the same way', async () => {
    const email = `nobody-${unique()}@example.com`;
    const { owner } = await fixture.tenant();
    await guess(email, '198.51.100.8');
    await guess(owner.email, '198.51.100.8');
    const unknown = await login(email, PASSWORD, '198.51.100.8');
    const known = await login(owner.email, PASSWORD, '198.51.100.8');
    expect(unknown).toMatchObject(locked);
    expect(unknown.error).toEqual(known.error);
  });

  it('counts an IPv6 network as one address', async () => {
    const { owner } = await fixture.tenant();
    for (let i = 0; i < FAILURES; i++) await guess(owner.email, `2001:db8:1:2::${i + 1}`, 1);
    expect((await login(owner.email, PASSWORD, '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await login(owner.email, PASSWORD, '2001:db8:1:3::1')).status).toBe(200);
  });

  it('resets the count after a successful login and after the lockout period', async () => {
    const { owner } = await fixture.tenant();
    await guess(owner.email, '198.51.100.9', FAILURES - 1);
    expect((await login(owner.email, PASSWORD, '198.51.100.9')).status).toBe(200);
    await guess(owner.email, '198.51.100.9');
    expect((await login(owner.email, PASSWORD, '198.51.100.9')).status).toBe(429);
    await fixture.database.query(`UPDATE users.login_failures SET ends_at = now() - interval '1 second'`);
    expect((await login(owner.email, PASSWORD, '198.51.100.9')).status).toBe(200);
  });

  it('counts wrong codes like wrong passwords; a correct password without a code does not reset the count', async () => {
    const { owner } = await fixture.tenant();
    const cookie = await fixture.login(owner.email);
    const post = (path: string, body: unknown) =>
      fixture.call<{ secret: string }>('POST', `/api/auth/mfa${path}`, { cookie, body });
    await timeInStep();
    const { secret } = (await post('', { password: PASSWORD })).data;
    await post('/confirm', { code: codeOf(secret, -1) });
    const from = '198.51.100.10';
    for (let i = 0; i < FAILURES; i++) {
      expect((await login(owner.email, PASSWORD, from, { code: wrongCodeOf(secret) })).status).toBe(401);
      if (i < FAILURES - 1) expect((await login(owner.email, PASSWORD, from)).status).toBe(403);
    }
    expect(await login(owner.email, PASSWORD, from, { code: codeOf(secret) })).toMatchObject(locked);
  });

  it('row 8: counts wrong codes per user, over all addresses and known browsers', async () => {
    const { owner } = await fixture.tenant();
    const cookie = cookieOf(await login(owner.email, PASSWORD, '198.51.100.11'), 'session');
    const post = (path: string, body: unknown) =>
      fixture.call<{ secret: string; recoveryCodes: string[] }>('POST', `/api/auth/mfa${path}`, { cookie, body });
    await timeInStep();
    const { secret } = (await post('', { password: PASSWORD })).data;
    const { recoveryCodes } = (await post('/confirm', { code: codeOf(secret, -1) })).data;
    const known = await login(owner.email, PASSWORD, '198.51.100.11', { code: recoveryCodes[0]! });
    const device = cookieOf(known, 'device');
    const half = FAILURES / 2;
    for (let i = 0; i < FAILURES; i++) {
      const more = { code: wrongCodeOf(secret), ...(i < half ? {} : { device }) };
      expect((await login(owner.email, PASSWORD, `203.0.113.${i}`, more)).status).toBe(401);
    }
    expect(await login(owner.email, PASSWORD, '203.0.113.99', { code: codeOf(secret) })).toMatchObject(locked);
    expect(await login(owner.email, PASSWORD, '203.0.113.99', { code: codeOf(secret), device })).toMatchObject(locked);
    expect(await post('/recovery-codes', { code: codeOf(secret) })).toMatchObject(locked);
    await fixture.database.query(`UPDATE users.login_failures SET ends_at = now() - interval '1 second'`);
    expect((await login(owner.email, PASSWORD, '203.0.113.99', { code: codeOf(secret), device })).status).toBe(200);
  });

  it('row 8: counts wrong codes of a session in the same way as wrong codes of a login', async () => {
    const { owner } = await fixture.tenant();
    const cookie = cookieOf(await login(owner.email, PASSWORD, '198.51.100.12'), 'session');
    const post = (path: string, body: unknown) =>
      fixture.call<{ secret: string }>('POST', `/api/auth/mfa${path}`, { cookie, body });
    await timeInStep();
    const { secret } = (await post('', { password: PASSWORD })).data;
    await post('/confirm', { code: codeOf(secret, -1) });
    for (let i = 0; i < FAILURES; i++) {
      expect((await post('/recovery-codes', { code: wrongCodeOf(secret) })).status).toBe(401);
    }
    const answer = await login(owner.email, PASSWORD, '203.0.113.98', { code: codeOf(secret) });
    expect(answer).toMatchObject(locked);
  });
});
