import { until } from '@heliograph/testing';
import { CredentialsService } from '@heliograph/users';
import { AccountFixture, PASSWORD } from './account-fixture';
import { address, AuthCalls, NEXT } from './auth-calls';
import { codeOf, timeInStep } from './authenticator-app';
import { MailTap } from './mail-tap';

describe('/api/v1/auth', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  let auth: AuthCalls;
  beforeAll(async () => {
    fixture = await AccountFixture.start({ REGISTRATION: 'open' });
    mails = await MailTap.on(fixture);
    auth = new AuthCalls(fixture, mails);
  });
  afterAll(async () => {
    await mails.stop();
    await fixture.stop();
  });

  describe('POST /login', () => {
    it('opens no session if the password changes after it was verified', async () => {
      const { email } = await auth.verified();
      const credentials = fixture.service.app.get(CredentialsService, { strict: false });
      const prove = credentials.prove.bind(credentials);
      const spy = jest.spyOn(credentials, 'prove').mockImplementationOnce(async (...args) => {
        const proof = await prove(...args);
        await fixture.database.query('UPDATE users.users SET password_hash = $2 WHERE id = $1', [proof.user.id, 'new']);
        return proof;
      });
      expect(await auth.post('/login', { email, password: PASSWORD })).toMatchObject({
        status: 401,
        code: 'AUTH_INVALID_CREDENTIALS',
      });
      spy.mockRestore();
    });

    it('returns a pair of opaque tokens, which are stored as hashes only', async () => {
      const { email, registration } = await auth.verified();
      const tokens = await auth.login(email);
      expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, refresh_expires_in: 2_592_000 });
      expect(tokens.user).toEqual({ ...registration.user, email_verified: true });
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        expect(Buffer.from(token.slice(4), 'base64url')).toHaveLength(32);
        const dump = await fixture.database.query(
          `SELECT (SELECT json_agg(t) FROM users.access_tokens AS t)::text || (SELECT json_agg(t) FROM users.refresh_tokens AS t)::text AS all`,
        );
        expect(JSON.stringify(dump)).not.toContain(token.slice(4));
      }
      expect(await auth.get('/api/auth/session', tokens.access_token)).toMatchObject({ data: { user: { email } } });
    });

    it('returns the same error for an unknown address and a wrong password, and counts failures', async () => {
      const { email } = await auth.verified();
      const answers = [];
      for (const one of [email, address()])
        answers.push(await auth.post('/login', { email: one, password: 'wrong one' }));
      expect(answers[0]).toEqual({ ...answers[1], headers: expect.anything() as unknown });
      expect(answers[0]).toMatchObject({ status: 401, code: 'AUTH_INVALID_CREDENTIALS' });
      for (let n = 0; n < 19; n++) await auth.post('/login', { email, password: 'wrong one' });
      expect(await auth.post('/login', { email, password: PASSWORD })).toMatchObject({
        status: 429,
        code: 'RATE_LIMITED',
      });
    });

    it('requires a code for users with a second factor', async () => {
      await timeInStep();
      const { owner } = await fixture.tenant();
      const { access_token: key } = await auth.login(owner.email);
      const { data } = await fixture.call<{ secret: string }>('POST', '/api/auth/mfa', {
        key,
        body: { password: PASSWORD },
      });
      await fixture.call('POST', '/api/auth/mfa/confirm', { key, body: { code: codeOf(data.secret, -1) } });
      const credentials = { email: owner.email, password: PASSWORD };
      expect(await auth.post('/login', credentials)).toMatchObject({ status: 403, code: 'AUTH_MFA_REQUIRED' });
      expect(await auth.post('/login', { ...credentials, code: '000000' })).toMatchObject({ status: 401 });
      expect(await auth.post('/login', { ...credentials, code: codeOf(data.secret) })).toMatchObject({ status: 200 });
    });

    it('grants the role of the user, and no access without a membership', async () => {
      const { organizationId } = await fixture.tenant();
      const viewer = await fixture.user(organizationId, 'viewer');
      const { access_token: key } = await auth.login(viewer.email);
      expect((await auth.get('/api/v1/contacts', key)).status).toBe(200);
      const write = await fixture.call('POST', '/api/v1/contacts', { key, body: { email: 'c@example.com' } });
      expect(write).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
      await fixture.database.query('DELETE FROM users.members WHERE user_id = $1', [viewer.id]);
      expect(await auth.get('/api/v1/contacts', key)).toMatchObject({ status: 403 });
    });
  });

  describe('POST /refresh', () => {
    it('exchanges a refresh token once, and ends the token family if the token is used again', async () => {
      const { email } = await auth.verified();
      const other = await auth.login(email);
      const first = await auth.login(email);
      const second = await auth.refresh(first.refresh_token);
      expect(second).toMatchObject({ status: 200, token_type: 'Bearer', user: { email } });
      expect([await auth.isValid(first.access_token), await auth.isValid(second.access_token)]).toEqual([true, true]);
      expect(await auth.refresh(first.refresh_token)).toMatchObject({ status: 401, code: 'AUTH_SESSION_EXPIRED' });
      expect(await auth.refresh(second.refresh_token)).toMatchObject({ status: 401, code: 'AUTH_SESSION_EXPIRED' });
      expect([await auth.isValid(first.access_token), await auth.isValid(second.access_token)]).toEqual([false, false]);
      expect(await auth.isValid(other.access_token)).toBe(true);
    });

    it('returns one pair for concurrent uses of the same token, and then ends the token family', async () => {
      const { email } = await auth.verified();
      const { refresh_token: token } = await auth.login(email);
      const answers = await Promise.all(Array.from({ length: 6 }, () => auth.refresh(token)));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(await auth.isValid(won[0]!.access_token)).toBe(false);
    });

    it.each(['hrt_unknown', 'x', 5, '', null])('rejects the token %j', async (token) => {
      const answer = await auth.post('/refresh', { refresh_token: token });
      expect(answer.status).toBe(typeof token === 'string' && token !== '' ? 401 : 400);
    });

    it('rejects expired tokens', async () => {
      const { email } = await auth.verified();
      const { access_token: access, refresh_token: token, user } = await auth.login(email);
      const expire = (table: string) =>
        fixture.database.query(
          `UPDATE users.${table} SET expires_at = now() - interval '1 second' WHERE session_id IN (SELECT id FROM users.sessions WHERE user_id = $1)`,
          [user.id],
        );
      await expire('access_tokens');
      expect(await auth.get('/api/v1/contacts', access)).toMatchObject({
        status: 401,
        error: { code: 'UNAUTHENTICATED' },
      });
      await expire('refresh_tokens');
      expect(await auth.refresh(token)).toMatchObject({ status: 401, code: 'AUTH_SESSION_EXPIRED' });
    });
  });

  describe('POST /logout', () => {
    it.each(['access', 'refresh'])('ends all tokens of the login when it receives its %s token', async (kind) => {
      const { email } = await auth.verified();
      const tokens = await auth.login(email);
      const answer =
        kind === 'access'
          ? await auth.post('/logout', {}, tokens.access_token)
          : await auth.post('/logout', { refresh_token: tokens.refresh_token });
      expect(answer.status).toBe(204);
      expect(await auth.isValid(tokens.access_token)).toBe(false);
      expect(await auth.refresh(tokens.refresh_token)).toMatchObject({ status: 401 });
    });

    it('needs no body with an access token', async () => {
      const { email } = await auth.verified();
      const tokens = await auth.login(email);
      const logout = (headers: Record<string, string>) =>
        fetch(`${fixture.service.url}/api/v1/auth/logout`, { method: 'POST', headers });
      expect((await logout({})).status).toBe(400);
      expect((await logout({ authorization: `Bearer ${tokens.access_token}` })).status).toBe(204);
      expect(await auth.isValid(tokens.access_token)).toBe(false);
    });

    it('refuses calls without a token', async () => {
      expect(await auth.post('/logout', {})).toMatchObject({ status: 400, fields: [{ field: 'refresh_token' }] });
      expect(await auth.post('/logout', { refresh_token: 'hrt_x' })).toMatchObject({ status: 401 });
      expect(await auth.post('/logout', {}, 'hat_x')).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(await auth.post('/logout', {}, (await fixture.tenant()).key)).toMatchObject({ status: 401 });
    });
  });

  describe('POST /reset-password', () => {
    it('ends all sessions and tokens, and accepts the reset token once', async () => {
      const { email } = await auth.verified();
      const tokens = await auth.login(email);
      const cookie = await fixture.login(email);
      expect(await auth.post('/reset-password', { email: address() })).toMatchObject({ status: 202 });
      expect(await auth.post('/reset-password', { email })).toMatchObject({ status: 202 });
      const token = await auth.tokenOf(email, 'password-reset');
      expect(await auth.post('/reset-password', { token, password: 'password1' })).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        fields: [{ field: 'password' }],
      });
      expect(await auth.post('/reset-password', { token })).toMatchObject({
        status: 400,
        fields: [{ field: 'password' }],
      });
      expect(await auth.post('/reset-password', { token, password: NEXT })).toMatchObject({ status: 200 });
      expect(await auth.post('/reset-password', { token, password: NEXT })).toMatchObject({ status: 404 });
      expect(await auth.isValid(tokens.access_token)).toBe(false);
      expect(await auth.refresh(tokens.refresh_token)).toMatchObject({ status: 401 });
      expect((await fixture.call('GET', '/api/auth/session', { cookie })).status).toBe(401);
      expect((await auth.login(email, NEXT)).user.email).toBe(email);
    });

    it('rejects a body without email and token', async () => {
      expect(await auth.post('/reset-password', {})).toMatchObject({ status: 400, fields: [{ field: 'email' }] });
    });
  });

  it('ends the tokens of a session when its user ends the session', async () => {
    const { email } = await auth.verified();
    const tokens = await auth.login(email);
    const cookie = await fixture.login(email);
    const { data } = await fixture.call<{ sessions: { id: string; current: boolean }[] }>('GET', '/api/auth/sessions', {
      cookie,
    });
    const other = data.sessions.find(({ current }) => !current);
    expect((await fixture.call('DELETE', `/api/auth/sessions/${other?.id}`, { cookie })).status).toBe(204);
    await until('the token is rejected', async () => !(await auth.isValid(tokens.access_token)));
  });
});
