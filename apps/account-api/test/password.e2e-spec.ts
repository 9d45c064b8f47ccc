import { AccountFixture, cookieOf, PASSWORD } from './account-fixture';
import { codeOf, timeInStep } from './authenticator-app';
import { MailTap, tokenIn } from './mail-tap';

const NEXT = 'another good long password';

describe('a password', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    mails = await MailTap.on(fixture);
  });
  afterAll(() => mails.stop());

  const login = (email: string, password: string, code?: string) =>
    fixture.call('POST', '/api/auth/login', { body: { email, password, ...(code === undefined ? {} : { code }) } });
  const change = (cookie: string, body: unknown) => fixture.call('PUT', '/api/auth/password', { cookie, body });
  const requestReset = (email: unknown) => fixture.call('POST', '/api/auth/password-resets', { body: { email } });
  const reset = (token: string, password: unknown) =>
    fixture.call('POST', `/api/auth/password-resets/${token}`, { body: { password } });
  const isAlive = async (cookie: string) => (await fixture.call('GET', '/api/auth/session', { cookie })).status === 200;
  const actionsOf = async (organizationId: string) =>
    (
      await fixture.database.query<{ action: string }>(
        'SELECT action FROM audit.entries WHERE organization_id = $1 ORDER BY id',
        [organizationId],
      )
    ).map(({ action }) => action);

  describe('that its user changes', () => {
    it('requires the current one, ends only the other sessions, and sends a notice', async () => {
      const { owner, organizationId } = await fixture.tenant();
      const mine = await fixture.login(owner.email);
      const other = await fixture.login(owner.email);
      expect(await change(mine, { currentPassword: 'not the password', newPassword: NEXT })).toMatchObject({
        status: 401,
        error: { code: 'AUTH_INVALID_CREDENTIALS' },
      });
      expect(await isAlive(other)).toBe(true);
      expect((await change(mine, { currentPassword: PASSWORD, newPassword: NEXT })).status).toBe(204);
      expect([await isAlive(mine), await isAlive(other)]).toEqual([true, false]);
      expect((await login(owner.email, PASSWORD)).status).toBe(401);
      expect((await login(owner.email, NEXT)).status).toBe(200);
      const notice = await mails.newest(owner.email, 'security-notice');
      expect(notice.data.to).toEqual([owner.email]);
      expect(notice.content.subject).toBe('Your password was changed');
      expect(notice.content.text).toContain('127.0.0.1');
      expect(await actionsOf(organizationId)).toEqual(['user.password_changed']);
    });

    it('row 8: forgets the known devices of the user', async () => {
      const { owner } = await fixture.tenant();
      const cookie = await fixture.login(owner.email);
      expect(await fixture.devicesOf(owner.id)).toBe(1);
      await change(cookie, { currentPassword: PASSWORD, newPassword: NEXT });
      expect(await fixture.devicesOf(owner.id)).toBe(0);
    });

    it.each([
      ['too short', 'a1b2c3d'],
      ['one repeated letter', 'aaaaaaaaaaaa'],
      ['a password with NUL', 'long enough\0'],
      ['none', ''],
      ['a number', 12345678],
    ])('is rejected with 422 and the name of the field when it is %s', async (_what, newPassword) => {
      const { owner } = await fixture.tenant();
      const answer = await change(await fixture.login(owner.email), { currentPassword: PASSWORD, newPassword });
      expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
      expect(answer.error.message).toMatch(/^newPassword: /);
      expect((await login(owner.email, PASSWORD)).status).toBe(200);
    });

    it('cannot be the email address', async () => {
      const { owner } = await fixture.tenant();
      const newPassword = owner.email.toUpperCase();
      const answer = await change(await fixture.login(owner.email), { currentPassword: PASSWORD, newPassword });
      expect(answer.status).toBe(422);
    });

    it('counts a wrong current password as a failed login', async () => {
      const { owner } = await fixture.tenant();
      const cookie = await fixture.login(owner.email);
      for (let failure = 0; failure < 20; failure++) {
        expect((await change(cookie, { currentPassword: 'not the password', newPassword: NEXT })).status).toBe(401);
      }
      expect(await change(cookie, { currentPassword: PASSWORD, newPassword: NEXT })).toMatchObject({
        status: 429,
        error: { code: 'RATE_LIMITED' },
      });
      expect((await login(owner.email, PASSWORD)).status).toBe(429);
    });

    it('is audited in every organization of the user', async () => {
      const one = await fixture.tenant();
      const other = await fixture.tenant();
      const third = await fixture.tenant();
      await fixture.factory.dataSource.transaction((transaction) =>
        fixture.members.put(transaction, other.organizationId, one.owner.id, 'viewer'),
      );
      await change(await fixture.login(one.owner.email), { currentPassword: PASSWORD, newPassword: NEXT });
      expect(await actionsOf(one.organizationId)).toEqual(['user.password_changed']);
      expect(await actionsOf(other.organizationId)).toEqual(['user.password_changed']);
      expect(await actionsOf(third.organizationId)).toEqual([]);
    });
  });

  describe('that is reset', () => {
    const aMinuteLater = (userId: string) =>
      fixture.database.query(
        `UPDATE users.password_resets SET expires_at = expires_at - interval '1 minute' WHERE user_id = $1`,
        [userId],
      );

    it('is reset by an emailed link, which ends every session and does not log in', async () => {
      const { owner, organizationId } = await fixture.tenant();
      const cookie = await fixture.login(owner.email);
      const response = await requestReset(` ${owner.email.toUpperCase()}`);
      expect(response).toMatchObject({ status: 202, ok: true, data: {} });
      const mail = await mails.newest(owner.email, 'password-reset');
      expect(mail.data.to).toEqual([owner.email]);
      expect(mail.content).toMatchObject({ subject: 'Choose a new password', attachments: [] });
      expect(mail.content.text).toContain('http://console.example/console/reset-password?token=');
      expect(JSON.stringify(response)).not.toContain(tokenIn(mail));
      const done = await reset(tokenIn(mail), NEXT);
      expect(done.status).toBe(204);
      expect(done.headers.getSetCookie()).toEqual([]);
      expect(await isAlive(cookie)).toBe(false);
      expect((await login(owner.email, NEXT)).status).toBe(200);
      expect((await mails.newest(owner.email, 'security-notice')).content.subject).toBe('Your password was reset');
      expect(await actionsOf(organizationId)).toEqual(['user.password_reset']);
    });

    it('row 8: forgets the known devices of the user', async () => {
      const { owner } = await fixture.tenant();
      await fixture.login(owner.email);
      await requestReset(owner.email);
      await reset(tokenIn(await mails.newest(owner.email, 'password-reset')), NEXT);
      expect(await fixture.devicesOf(owner.id)).toBe(0);
    });

    it('is reset once per link, also by concurrent requests', async () => {
      const { owner } = await fixture.tenant();
      await requestReset(owner.email);
      const token = tokenIn(await mails.newest(owner.email, 'password-reset'));
      const statuses = await Promise.all([reset(token, NEXT), reset(token, NEXT)]);
      expect(statuses.map(({ status }) => status).sort()).toEqual([204, 404]);
      expect(await reset(token, NEXT)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    });

    it('is reset only by the newest link within one hour', async () => {
      const { owner } = await fixture.tenant();
      await requestReset(owner.email);
      const first = tokenIn(await mails.newest(owner.email, 'password-reset'));
      await aMinuteLater(owner.id);
      await requestReset(owner.email);
      const second = tokenIn(await mails.newest(owner.email, 'password-reset', 2));
      expect((await reset(first, NEXT)).status).toBe(404);
      await fixture.database.query(
        `UPDATE users.password_resets SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
        [owner.id],
      );
      expect((await reset(second, NEXT)).status).toBe(404);
      for (const token of ['x', 'x'.repeat(43), '%00', 'x'.repeat(5_000)]) {
        expect((await reset(token, NEXT)).status).toBe(404);
      }
    });

    it('sends at most one email per minute, whose link works', async () => {
      const { owner } = await fixture.tenant();
      for (let i = 0; i < 5; i++) expect((await requestReset(owner.email)).status).toBe(202);
      const token = tokenIn(await mails.newest(owner.email, 'password-reset'));
      await aMinuteLater(owner.id);
      await requestReset(owner.email);
      await mails.newest(owner.email, 'password-reset', 2);
      expect(mails.to(owner.email)).toHaveLength(2);
      expect((await reset(token, NEXT)).status).toBe(404);
    });

    it('must be valid, and an invalid one does not consume the link', async () => {
      const { owner } = await fixture.tenant();
      await requestReset(owner.email);
      const token = tokenIn(await mails.newest(owner.email, 'password-reset'));
      const bad = await reset(token, 'short');
      expect(bad).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
      expect(bad.error.message).toMatch(/^password: /);
      expect((await reset(token, NEXT)).status).toBe(204);
    });

    it('keeps the second factor', async () => {
      const { owner } = await fixture.tenant();
      const cookie = await fixture.login(owner.email);
      const post = (path: string, body: unknown) =>
        fixture.call<{ secret: string }>('POST', `/api/auth/mfa${path}`, { cookie, body });
      await timeInStep();
      const { secret } = (await post('', { password: PASSWORD })).data;
      await post('/confirm', { code: codeOf(secret, -1) });
      await requestReset(owner.email);
      await reset(tokenIn(await mails.newest(owner.email, 'password-reset')), NEXT);
      expect((await login(owner.email, NEXT)).error.code).toBe('AUTH_MFA_REQUIRED');
      expect((await login(owner.email, NEXT, codeOf(secret))).status).toBe(200);
    });

    it('is not reset for an unknown address, which gets the same response but no email', async () => {
      const { owner } = await fixture.tenant();
      const known = await requestReset(owner.email);
      const unknown = await requestReset('nobody@example.com');
      expect([unknown.status, unknown.data]).toEqual([known.status, known.data]);
      expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
      await requestReset('not an address');
      await mails.newest(owner.email, 'password-reset');
      expect([...mails.to('nobody@example.com'), ...mails.to('not an address')]).toEqual([]);
      const waiting = await fixture.database.query(
        `SELECT 1 FROM messaging.outbox WHERE payload::text LIKE '%nobody@example.com%'`,
      );
      expect(waiting).toEqual([]);
    });

    it('causes the same number of writes for an unknown address, so that the response time is the same', async () => {
      const { owner } = await fixture.tenant();
      const writes = async (email: string) => {
        const count = async () =>
          (
            await fixture.database.query<{ resets: number }>(
              'SELECT count(*)::int AS resets FROM users.password_resets',
            )
          )[0]!.resets;
        const before = await count();
        await requestReset(email);
        return (await count()) - before;
      };
      expect(await writes(owner.email)).toBe(1);
      expect(await writes('nobody@example.com')).toBe(1);
    });

    it('ends the lockout of the user', async () => {
      const { owner } = await fixture.tenant();
      for (let failure = 0; failure < 20; failure++) await login(owner.email, 'not the password');
      expect((await login(owner.email, PASSWORD)).status).toBe(429);
      await requestReset(owner.email);
      await reset(tokenIn(await mails.newest(owner.email, 'password-reset')), NEXT);
      const answer = await login(owner.email, NEXT);
      expect(cookieOf(answer, 'session')).toBeDefined();
    });

    it.each([[undefined], [1], [''], ['a\0b'], [['a@b.example']]])('rejects the email %j with 422', async (email) => {
      const answer = await requestReset(email);
      expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
      expect(answer.error.message).toMatch(/^email: /);
    });
  });
});
