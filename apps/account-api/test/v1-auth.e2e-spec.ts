import { unique, until } from '@heliograph/testing';
import { CredentialsService } from '@heliograph/users';
import { AccountFixture, PASSWORD } from './account-fixture';
import { codeOf, timeInStep } from './authenticator-app';
import { MailTap } from './mail-tap';

interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  refresh_expires_in: number;
  user: { id: string; name: string; email: string; email_verified: boolean };
}

interface Registration {
  user: Tokens['user'];
  organization: { id: string; name: string; slug: string };
  workspace: { id: string; slug: string };
}

const NEXT = 'another good long password';

describe('/api/v1/auth', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  beforeAll(async () => {
    fixture = await AccountFixture.start({ REGISTRATION: 'open', REGISTRATION_CREDITS: 'sms:100,email:50' });
    mails = await MailTap.on(fixture);
  });
  afterAll(async () => {
    await mails.stop();
    await fixture.stop();
  });

  const post = async <T>(path: string, body: unknown, key?: string) =>
    (await fixture.call('POST', `/api/v1/auth${path}`, { body, ...(key ? { key } : {}) })) as unknown as T & {
      status: number;
      code: string;
      fields?: { field: string }[];
    };
  const get = (path: string, key: string) => fixture.call('GET', path, { key });
  const address = () => `new-${unique()}@example.com`;
  const register = (fields: Record<string, unknown> = {}) =>
    post<Registration>('/register', {
      ...{ name: 'Ann Example', email: address(), password: PASSWORD, organization: 'Acme & Söhne, Inc.', ...fields },
    });
  const login = async (email: string, password = PASSWORD) => {
    const tokens = await post<Tokens>('/login', { email, password });
    if (tokens.status !== 200) throw new Error(JSON.stringify(tokens));
    return tokens;
  };
  const refresh = (token: string) => post<Tokens>('/refresh', { refresh_token: token });
  const isValid = async (token: string) => (await get('/api/v1/contacts', token)).status === 200;
  const tokenOf = async (email: string, purpose: 'email-verification' | 'password-reset', count = 1) =>
    /[?&]token=([\w-]{43})/.exec((await mails.newest(email, purpose, count)).content.text)?.[1] ?? '';
  const verified = async () => {
    const email = address();
    const registration = await register({ email });
    expect(await post('/verify-email', { token: await tokenOf(email, 'email-verification') })).toMatchObject({
      status: 200,
    });
    return { email, registration };
  };

  describe('POST /register', () => {
    it('creates a user, an organization, its first workspace and credits, and sends a verification email', async () => {
      const email = address();
      const { status, user, organization, workspace } = await register({ email: email.toUpperCase() });
      expect(status).toBe(201);
      expect(user).toEqual({ id: user.id, name: 'Ann Example', email, email_verified: false });
      expect(organization).toMatchObject({ name: 'Acme & Söhne, Inc.' });
      expect(organization.slug).toMatch(/^acme-sohne-inc-[0-9a-f]{8}$/);
      const credits = await fixture.database.query(
        `SELECT credit_type, balance::int FROM credits.accounts WHERE workspace_id = $1 AND balance > 0 ORDER BY 1`,
        [workspace.id],
      );
      expect(credits).toEqual([
        { credit_type: 'email', balance: 50 },
        { credit_type: 'sms', balance: 100 },
      ]);
      const { access_token: token } = await login(email);
      expect((await get('/api/workspaces', token)).data['workspaces']).toMatchObject([{ id: workspace.id }]);
      expect(await tokenOf(email, 'email-verification')).not.toBe('');
    });

    it('returns the same response for a registered address, creates nothing, and sends an email to its owner', async () => {
      const { email, registration } = await verified();
      const count = async () =>
        (await fixture.database.query('SELECT (SELECT count(*) FROM tenancy.organizations) AS all'))[0];
      const before = await count();
      const second = await register({ email, password: NEXT, name: 'Eve' });
      expect(second.status).toBe(201);
      expect(Object.keys(second)).toEqual(Object.keys(registration));
      expect(second.user).toMatchObject({ name: 'Eve', email, email_verified: false });
      expect(second.user.id).not.toBe(registration.user.id);
      expect(second.organization.id).not.toBe(registration.organization.id);
      expect(await count()).toEqual(before);
      expect((await mails.newest(email, 'registration')).content.subject).toBe('You already have an account');
      expect(await post('/login', { email, password: NEXT })).toMatchObject({ status: 401 });
      await register({ email });
      await login(email);
      expect(mails.to(email).filter(({ data }) => data.purpose === 'registration')).toHaveLength(1);
    });

    it('creates one user for concurrent registrations of the same address', async () => {
      const email = address();
      const answers = await Promise.all(Array.from({ length: 5 }, () => register({ email })));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
      const users = await fixture.database.query<{ id: string }>('SELECT id FROM users.users WHERE email = $1', [
        email,
      ]);
      expect(users).toHaveLength(1);
      expect(answers.map(({ user }) => user.id)).toContain(users[0]!.id);
    });

    it('finds a user of an earlier release by the domain that the user registered with', async () => {
      const email = address();
      await register({ email });
      const legacy = email.replace('@', '@bücher.');
      await fixture.database.query('UPDATE users.users SET email = $2 WHERE email = $1', [email, legacy]);
      await register({ email: legacy });
      await login(legacy);
      const key = email.replace('@', '@xn--bcher-kva.');
      expect(await fixture.database.query('SELECT FROM users.users WHERE email = $1', [key])).toHaveLength(0);
    });

    it.each([
      [{ email: 'x' }, 'email'],
      [{ email: 5 }, 'email'],
      [{ email: 'jörg@example.com' }, 'email'],
      [{ email: 'a..b@example.org' }, 'email'],
      [{ email: null }, 'email'],
      [{ password: 'short12' }, 'password'],
      [{ password: 'x'.repeat(201) }, 'password'],
      [{ password: 'Password1' }, 'password'],
      [{ password: 'iloveyou' }, 'password'],
      [{ name: '' }, 'name'],
      [{ name: 'see https://evil.example' }, 'name'],
      [{ organization: 'a\nb' }, 'organization'],
      [{ organization: { constructor: 1 } }, 'organization'],
    ])('rejects %j and names the field', async (fields, field) => {
      const answer = await register(fields);
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
      expect(answer.fields?.map((one) => one.field)).toEqual([field]);
    });

    it('rejects the email address as the password', async () => {
      const email = address();
      expect(await register({ email, password: email })).toMatchObject({
        status: 400,
        fields: [{ field: 'password' }],
      });
    });
  });

  describe('POST /verify-email', () => {
    it('verifies an address once, and does not reveal which addresses are registered', async () => {
      const email = address();
      await register({ email });
      const token = await tokenOf(email, 'email-verification');
      expect(await post('/verify-email', { token })).toMatchObject({ status: 200, email_verified: true });
      expect(await post('/verify-email', { token })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect((await login(email)).user.email_verified).toBe(true);
      for (const one of [email, address(), 'not an address @']) {
        const answer = await post('/verify-email', { email: one });
        expect(answer).toMatchObject(one.includes(' ') ? { status: 400 } : { status: 202 });
      }
      expect(await post('/verify-email', {})).toMatchObject({ status: 400, fields: [{ field: 'token' }] });
    });

    it('sends a new link at most once per minute', async () => {
      const email = address();
      await register({ email });
      await tokenOf(email, 'email-verification');
      expect(await post('/verify-email', { email })).toMatchObject({ status: 202 });
      await fixture.database.query(
        `UPDATE users.email_verifications SET expires_at = expires_at - interval '61 seconds'
         WHERE user_id = (SELECT id FROM users.users WHERE email = $1)`,
        [email],
      );
      await post('/verify-email', { email });
      expect(await tokenOf(email, 'email-verification', 2)).not.toBe('');
      expect(mails.to(email)).toHaveLength(2);
    });

    it('is required to create keys and to transfer credits, but not to read data or to write contacts', async () => {
      const email = address();
      const { workspace } = await register({ email });
      const { access_token: key } = await login(email);
      const createKey = () => fixture.call('POST', '/api/organization/api-keys', { key, body: { name: 'One' } });
      expect(await createKey()).toMatchObject({ status: 403, error: { code: 'EMAIL_NOT_VERIFIED' } });
      const transfer = await fixture.call('POST', `/api/workspaces/${workspace.id}/credits/transfers`, {
        ...{ key, body: { toWorkspaceId: workspace.id, creditType: 'sms', amount: 1 } },
      });
      expect(transfer).toMatchObject({ status: 403, error: { code: 'EMAIL_NOT_VERIFIED' } });
      const contact = { email: 'c@example.com' };
      expect((await fixture.call('POST', '/api/v1/contacts', { key, body: contact })).status).toBe(201);
      expect((await get('/api/organization', key)).status).toBe(200);
      await post('/verify-email', { token: await tokenOf(email, 'email-verification') });
      expect((await createKey()).status).toBe(201);
    });
  });

  describe('POST /login', () => {
    it('opens no session if the password changes after it was verified', async () => {
      const { email } = await verified();
      const credentials = fixture.service.app.get(CredentialsService, { strict: false });
      const prove = credentials.prove.bind(credentials);
      const spy = jest.spyOn(credentials, 'prove').mockImplementationOnce(async (...args) => {
        const proof = await prove(...args);
        await fixture.database.query('UPDATE users.users SET password_hash = $2 WHERE id = $1', [proof.user.id, 'new']);
        return proof;
      });
      expect(await post('/login', { email, password: PASSWORD })).toMatchObject({
        ...{ status: 401, code: 'AUTH_INVALID_CREDENTIALS' },
      });
      spy.mockRestore();
    });

    it('returns a pair of opaque tokens, which are stored as hashes only', async () => {
      const { email, registration } = await verified();
      const tokens = await login(email);
      expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, refresh_expires_in: 2_592_000 });
      expect(tokens.user).toEqual({ ...registration.user, email_verified: true });
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        expect(Buffer.from(token.slice(4), 'base64url')).toHaveLength(32);
        const dump = await fixture.database.query(
          `SELECT (SELECT json_agg(t) FROM users.access_tokens AS t)::text || (SELECT json_agg(t) FROM users.refresh_tokens AS t)::text AS all`,
        );
        expect(JSON.stringify(dump)).not.toContain(token.slice(4));
      }
      expect(await get('/api/auth/session', tokens.access_token)).toMatchObject({ data: { user: { email } } });
    });

    it('returns the same error for an unknown address and a wrong password, and counts failures', async () => {
      const { email } = await verified();
      const answers = [];
      for (const one of [email, address()]) answers.push(await post('/login', { email: one, password: 'wrong one' }));
      expect(answers[0]).toEqual({ ...answers[1], headers: expect.anything() as unknown });
      expect(answers[0]).toMatchObject({ status: 401, code: 'AUTH_INVALID_CREDENTIALS' });
      for (let n = 0; n < 19; n++) await post('/login', { email, password: 'wrong one' });
      expect(await post('/login', { email, password: PASSWORD })).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    });

    it('requires a code for users with a second factor', async () => {
      await timeInStep();
      const { owner } = await fixture.tenant();
      const { access_token: key } = await login(owner.email);
      const { data } = await fixture.call<{ secret: string }>('POST', '/api/auth/mfa', {
        key,
        body: { password: PASSWORD },
      });
      await fixture.call('POST', '/api/auth/mfa/confirm', { key, body: { code: codeOf(data.secret, -1) } });
      const credentials = { email: owner.email, password: PASSWORD };
      expect(await post('/login', credentials)).toMatchObject({ status: 403, code: 'AUTH_MFA_REQUIRED' });
      expect(await post('/login', { ...credentials, code: '000000' })).toMatchObject({ status: 401 });
      expect(await post('/login', { ...credentials, code: codeOf(data.secret) })).toMatchObject({ status: 200 });
    });

    it('grants the role of the user, and no access without a membership', async () => {
      const { organizationId } = await fixture.tenant();
      const viewer = await fixture.user(organizationId, 'viewer');
      const { access_token: key } = await login(viewer.email);
      expect((await get('/api/v1/contacts', key)).status).toBe(200);
      const write = await fixture.call('POST', '/api/v1/contacts', { key, body: { email: 'c@example.com' } });
      expect(write).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
      await fixture.database.query('DELETE FROM users.members WHERE user_id = $1', [viewer.id]);
      expect(await get('/api/v1/contacts', key)).toMatchObject({ status: 403 });
    });
  });

  describe('POST /refresh', () => {
    it('exchanges a refresh token once, and ends the token family if the token is used again', async () => {
      const { email } = await verified();
      const other = await login(email);
      const first = await login(email);
      const second = await refresh(first.refresh_token);
      expect(second).toMatchObject({ status: 200, token_type: 'Bearer', user: { email } });
      expect([await isValid(first.access_token), await isValid(second.access_token)]).toEqual([true, true]);
      expect(await refresh(first.refresh_token)).toMatchObject({ status: 401, code: 'AUTH_SESSION_EXPIRED' });
      expect(await refresh(second.refresh_token)).toMatchObject({ status: 401, code: 'AUTH_SESSION_EXPIRED' });
      expect([await isValid(first.access_token), await isValid(second.access_token)]).toEqual([false, false]);
      expect(await isValid(other.access_token)).toBe(true);
    });

    it('returns one pair for concurrent uses of the same token, and then ends the token family', async () => {
      const { email } = await verified();
      const { refresh_token: token } = await login(email);
      const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(token)));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(await isValid(won[0]!.access_token)).toBe(false);
    });

    it.each(['hrt_unknown', 'x', 5, '', null])('rejects the token %j', async (token) => {
      const answer = await post('/refresh', { refresh_token: token });
      expect(answer.status).toBe(typeof token === 'string' && token !== '' ? 401 : 400);
    });

    it('rejects expired tokens', async () => {
      const { email } = await verified();
      const { access_token: access, refresh_token: token, user } = await login(email);
      const expire = (table: string) =>
        fixture.database.query(
          `UPDATE users.${table} SET expires_at = now() - interval '1 second' WHERE session_id IN (SELECT id FROM users.sessions WHERE user_id = $1)`,
          [user.id],
        );
      await expire('access_tokens');
      expect(await get('/api/v1/contacts', access)).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
      await expire('refresh_tokens');
      expect(await refresh(token)).toMatchObject({ status: 401, code: 'AUTH_SESSION_EXPIRED' });
    });
  });

  describe('POST /logout', () => {
    it.each(['access', 'refresh'])('ends all tokens of the login when it receives its %s token', async (kind) => {
      const { email } = await verified();
      const tokens = await login(email);
      const answer =
        kind === 'access'
          ? await post('/logout', {}, tokens.access_token)
          : await post('/logout', { refresh_token: tokens.refresh_token });
      expect(answer.status).toBe(204);
      expect(await isValid(tokens.access_token)).toBe(false);
      expect(await refresh(tokens.refresh_token)).toMatchObject({ status: 401 });
    });

    it('needs no body with an access token', async () => {
      const { email } = await verified();
      const tokens = await login(email);
      const logout = (headers: Record<string, string>) =>
        fetch(`${fixture.service.url}/api/v1/auth/logout`, { method: 'POST', headers });
      expect((await logout({})).status).toBe(400);
      expect((await logout({ authorization: `Bearer ${tokens.access_token}` })).status).toBe(204);
      expect(await isValid(tokens.access_token)).toBe(false);
    });

    it('refuses calls without a token', async () => {
      expect(await post('/logout', {})).toMatchObject({ status: 400, fields: [{ field: 'refresh_token' }] });
      expect(await post('/logout', { refresh_token: 'hrt_x' })).toMatchObject({ status: 401 });
      expect(await post('/logout', {}, 'hat_x')).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(await post('/logout', {}, (await fixture.tenant()).key)).toMatchObject({ status: 401 });
    });
  });

  describe('POST /reset-password', () => {
    it('ends all sessions and tokens, and accepts the reset token once', async () => {
      const { email } = await verified();
      const tokens = await login(email);
      const cookie = await fixture.login(email);
      expect(await post('/reset-password', { email: address() })).toMatchObject({ status: 202 });
      expect(await post('/reset-password', { email })).toMatchObject({ status: 202 });
      const token = await tokenOf(email, 'password-reset');
      expect(await post('/reset-password', { token, password: 'password1' })).toMatchObject({
        ...{ status: 400, code: 'INVALID_REQUEST', fields: [{ field: 'password' }] },
      });
      expect(await post('/reset-password', { token })).toMatchObject({ status: 400, fields: [{ field: 'password' }] });
      expect(await post('/reset-password', { token, password: NEXT })).toMatchObject({ status: 200 });
      expect(await post('/reset-password', { token, password: NEXT })).toMatchObject({ status: 404 });
      expect(await isValid(tokens.access_token)).toBe(false);
      expect(await refresh(tokens.refresh_token)).toMatchObject({ status: 401 });
      expect((await fixture.call('GET', '/api/auth/session', { cookie })).status).toBe(401);
      expect((await login(email, NEXT)).user.email).toBe(email);
    });

    it('rejects a body without email and token', async () => {
      expect(await post('/reset-password', {})).toMatchObject({ status: 400, fields: [{ field: 'email' }] });
    });
  });

  it('ends the tokens of a session when its user ends the session', async () => {
    const { email } = await verified();
    const tokens = await login(email);
    const cookie = await fixture.login(email);
    const { data } = await fixture.call<{ sessions: { id: string; current: boolean }[] }>('GET', '/api/auth/sessions', {
      cookie,
    });
    const other = data.sessions.find(({ current }) => !current);
    expect((await fixture.call('DELETE', `/api/auth/sessions/${other?.id}`, { cookie })).status).toBe(204);
    await until('the token is rejected', async () => !(await isValid(tokens.access_token)));
  });
});

describe('POST /api/v1/auth/register while registration is disabled', () => {
  let fixture: AccountFixture;
  beforeAll(async () => {
    fixture = await (await AccountFixture.shared()).beside({ REGISTRATION: 'closed' });
  });
  afterAll(() => fixture.service.stop());

  it('returns 403', async () => {
    const body = { name: 'Ann', email: 'a@example.com', password: PASSWORD, organization: 'Acme' };
    const answer = await fixture.call('POST', '/api/v1/auth/register', { body });
    expect(answer).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  });
});
