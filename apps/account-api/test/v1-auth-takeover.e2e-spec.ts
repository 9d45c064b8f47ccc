import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { AccountFixture, cookieOf, PASSWORD } from './account-fixture';
import { address, AuthCalls, NEXT } from './auth-calls';
import { MailTap, tokenIn } from './mail-tap';
import { fill, hasBody, routesOf, type Route } from './routes';

const STRANGER = 'password of the stranger';

describe('an account whose email address is not verified', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  let auth: AuthCalls;
  beforeAll(async () => {
    fixture = await AccountFixture.start({ REGISTRATION: 'open', REGISTRATION_CREDITS: 'sms:100' });
    mails = await MailTap.on(fixture);
    auth = new AuthCalls(fixture, mails);
  });
  afterAll(async () => {
    await mails.stop();
    await fixture.stop();
  });

  /** Makes the address as it was left by a release that allowed unverified users to write. */
  const unverify = (email: string) =>
    fixture.database.query('UPDATE users.users SET email_verified_at = NULL WHERE email = $1', [email]);

  /** What a stranger created with the address of somebody else, in a release that allowed it. */
  async function occupied() {
    const email = address();
    const stranger = await auth.register({ email, password: STRANGER, name: 'Stranger', organization: 'Trap' });
    await auth.post('/verify-email', { token: await auth.tokenOf(email, 'email-verification') });
    const { access_token: key, refresh_token: refresh } = await auth.login(email, STRANGER);
    const post = <T>(path: string, body: unknown) => fixture.call<T>('POST', path, { key, body });
    const { key: secret } = (await post<{ key: string }>('/api/organization/api-keys', { name: 'Back door' })).data;
    await post('/api/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] });
    const accomplice = address();
    await post('/api/organization/invitations', { email: accomplice, role: 'owner' });
    const invitation = tokenIn(await mails.newest(accomplice, 'invitation'));
    const other = await fixture.user(stranger.organization.id, 'owner');
    await fixture.database.query(
      `UPDATE users.users SET totp_secret = 'sealed', pending_totp_secret = 'sealed' WHERE email = $1`,
      [email],
    );
    await fixture.database.query(
      `INSERT INTO users.recovery_codes SELECT id, '\\x00' FROM users.users WHERE email = $1`,
      [email],
    );
    await unverify(email);
    return { email, stranger, key, refresh, secret, invitation, other };
  }

  async function traces(organizationId: string, email: string) {
    const [row] = await fixture.database.query<Record<string, number>>(
      `SELECT
         (SELECT count(*)::int FROM webhooks.subscriptions WHERE organization_id = $1) AS webhooks,
         (SELECT count(*)::int FROM auth.api_keys WHERE organization_id = $1 AND revoked_at IS NULL) AS keys,
         (SELECT count(*)::int FROM users.invitations WHERE organization_id = $1 AND revoked_at IS NULL) AS invitations,
         (SELECT count(*)::int FROM users.members JOIN users.users ON id = user_id
          WHERE organization_id = $1 AND email <> $2) AS others,
         (SELECT count(*)::int FROM users.users LEFT JOIN users.recovery_codes ON user_id = id
          WHERE email = $2 AND (totp_secret IS NOT NULL OR pending_totp_secret IS NOT NULL OR hash IS NOT NULL)) AS factors`,
      [organizationId, email],
    );
    return row;
  }

  async function expectNoTraces({
    email,
    stranger,
    key,
    refresh,
    secret,
    invitation,
  }: Awaited<ReturnType<typeof occupied>>) {
    expect(await traces(stranger.organization.id, email)).toEqual({
      webhooks: 0,
      keys: 0,
      invitations: 0,
      others: 0,
      factors: 0,
    });
    expect(await auth.isValid(key)).toBe(false);
    expect(await auth.refresh(refresh)).toMatchObject({ status: 401 });
    await until('the key is revoked', async () => !(await auth.isValid(secret)));
    expect(await fixture.call('GET', `/api/auth/invitations/${invitation}`)).toMatchObject({ status: 404 });
  }

  it('can read, and gets EMAIL_NOT_VERIFIED on every write except password change and logout', async () => {
    const email = address();
    const { workspace } = await auth.register({ email });
    const { access_token: key } = await auth.login(email);
    const cookie = await fixture.login(email);
    const isAllowed = ({ method, path, access }: Route) =>
      access === 'public' ||
      method === 'GET' ||
      ['POST /api/auth/logout', 'PUT /api/auth/password'].includes(`${method} ${path}`) ||
      // These calculate something and change nothing.
      (method === 'POST' &&
        typeof access === 'object' &&
        'permission' in access &&
        access.permission.endsWith(':read'));
    const wrong: string[] = [];
    let writes = 0;
    for (const route of routesOf(fixture.service)) {
      if (typeof route.access !== 'object' || route.access.kind === 'operator') continue;
      if (`${route.method} ${route.path}` === 'POST /api/auth/logout') continue;
      const path = fill(route.path, (name) => (name === 'id' ? workspace.id : newId()));
      for (const credentials of [{ key }, { cookie }]) {
        const body = hasBody(route) ? { body: {} } : {};
        const { status, error } = await fixture.call(route.method, path, { ...credentials, ...body });
        const isRefused = status === 403 && error.code === 'EMAIL_NOT_VERIFIED';
        if (isRefused === isAllowed(route)) wrong.push(`${route.method} ${route.path}: ${status} ${error?.code}`);
      }
      if (!isAllowed(route)) writes++;
    }
    expect(wrong).toEqual([]);
    expect(writes).toBeGreaterThan(60);
    expect((await fixture.call('POST', '/api/auth/logout', { cookie })).status).toBe(204);
    expect((await auth.post('/logout', {}, key)).status).toBe(204);
  });

  it('is told the next step', async () => {
    const email = address();
    await auth.register({ email });
    const { access_token: key } = await auth.login(email);
    const { error } = await fixture.call('POST', '/api/v1/contacts', { key, body: { email: 'c@example.com' } });
    expect(error.message).toContain('POST /api/v1/auth/verify-email with {"email"} sends a new link');
  });

  it('changes its password, and the notice does not contain the user agent', async () => {
    const email = address();
    await auth.register({ email });
    const cookie = await fixture.login(email);
    const changed = await fixture.call('PUT', '/api/auth/password', {
      cookie,
      body: { currentPassword: PASSWORD, newPassword: NEXT },
      headers: { 'user-agent': 'Call +1 900 555 0100 to get your prize' },
    });
    expect(changed.status).toBe(204);
    const { content } = await mails.newest(email, 'security-notice');
    expect(content.text + content.html).not.toContain('prize');
  });

  it('gets no email with text that was typed at the registration', async () => {
    const email = address();
    await auth.register({ email, name: 'Claim your prize', organization: 'Prize of the day' });
    await auth.post('/reset-password', { email });
    const all = [await mails.newest(email, 'email-verification'), await mails.newest(email, 'password-reset')];
    for (const { content } of all) expect(JSON.stringify(content)).not.toMatch(/prize/i);
  });

  it('is replaced by another registration, whose email follows within a minute and whose link alone is valid', async () => {
    const email = address();
    const first = await auth.register({ email, password: STRANGER, organization: 'Trap' });
    const { access_token: key, refresh_token: refresh } = await auth.login(email, STRANGER);
    const cookie = await fixture.login(email, STRANGER);
    const stale = await auth.tokenOf(email, 'email-verification');
    const second = await auth.register({ email, name: 'Victim', organization: 'Own' });
    expect(second.status).toBe(201);
    expect(second.user).toMatchObject({ name: 'Victim', email, email_verified: false });
    for (const part of ['user', 'organization', 'workspace'] as const) expect(second[part].id).not.toBe(first[part].id);

    expect(await auth.isValid(key)).toBe(false);
    expect(await auth.refresh(refresh)).toMatchObject({ status: 401 });
    expect((await fixture.call('GET', '/api/auth/session', { cookie })).status).toBe(401);
    expect(await auth.post('/login', { email, password: STRANGER })).toMatchObject({ status: 401 });
    expect(await auth.post('/verify-email', { token: stale })).toMatchObject({ status: 404 });
    const left = await fixture.database.query(
      `SELECT status, (SELECT count(*)::int FROM users.members WHERE organization_id = $1) AS members
       FROM tenancy.workspaces WHERE organization_id = $1`,
      [first.organization.id],
    );
    expect(left).toEqual([{ status: 'locked', members: 0 }]);

    // A third registration within the minute does not add an email.
    await auth.register({ email, name: 'Victim', organization: 'Own' });
    expect(mails.to(email)).toHaveLength(1);
    await fixture.database.query(
      `UPDATE users.email_verifications SET mail_due_at = mail_due_at - interval '60 seconds'
       WHERE user_id = (SELECT id FROM users.users WHERE email = $1)`,
      [email],
    );
    const token = await auth.tokenOf(email, 'email-verification', 2);
    expect(await auth.post('/verify-email', { token })).toMatchObject({ status: 200, email_verified: true });
    const { user, access_token: own } = await auth.login(email);
    expect(user).toMatchObject({ name: 'Victim', email_verified: true });
    const session = await fixture.call('GET', '/api/organization', { key: own });
    expect(session.data).toMatchObject({ organization: { name: 'Own' } });
    expect(mails.to(email)).toHaveLength(2);
  });

  it('is replaced completely if a stranger created keys, webhooks, invitations and a second factor with it', async () => {
    const trap = await occupied();
    await auth.register({ email: trap.email });
    await expectNoTraces(trap);
    expect((await auth.login(trap.email)).user.email_verified).toBe(false);
  });

  it('is not replaced while its address is being verified', async () => {
    for (let round = 0; round < 5; round++) {
      const email = address();
      await auth.register({ email });
      const token = await auth.tokenOf(email, 'email-verification');
      const [verified, again] = await Promise.all([
        auth.post('/verify-email', { token }),
        auth.register({ email, password: NEXT }),
      ]);
      expect(again.status).toBe(201);
      const isVerified = verified.status === 200;
      expect((await auth.login(email, isVerified ? PASSWORD : NEXT)).user.email_verified).toBe(isVerified);
    }
  });

  it('loses all other sessions, second factors, keys, invitations, webhooks and members with the verification', async () => {
    const trap = await occupied();
    await fixture.database.query(`UPDATE users.users SET totp_secret = NULL WHERE email = $1`, [trap.email]);
    const cookie = await fixture.login(trap.email, STRANGER);
    await fixture.database.query(`UPDATE users.users SET totp_secret = 'sealed' WHERE email = $1`, [trap.email]);
    await auth.post('/verify-email', { email: trap.email });
    const token = await auth.tokenOf(trap.email, 'email-verification', 2);
    expect(await auth.post('/verify-email', { token })).toMatchObject({ status: 200 });
    await expectNoTraces(trap);
    expect((await fixture.call('GET', '/api/auth/session', { cookie })).status).toBe(401);
  });

  it('keeps the session of the request that verifies the address', async () => {
    const email = address();
    await auth.register({ email });
    const { access_token: other } = await auth.login(email);
    const { access_token: own } = await auth.login(email);
    const token = await auth.tokenOf(email, 'email-verification');
    expect(await auth.post('/verify-email', { token }, own)).toMatchObject({ status: 200 });
    expect([await auth.isValid(own), await auth.isValid(other)]).toEqual([true, false]);
    expect((await fixture.call('POST', '/api/organization/api-keys', { key: own, body: { name: 'One' } })).status).toBe(
      201,
    );
  });

  it('is taken over by its owner with a password reset, which has the same effects', async () => {
    const trap = await occupied();
    await auth.post('/reset-password', { email: trap.email });
    const token = await auth.tokenOf(trap.email, 'password-reset');
    expect(await auth.post('/reset-password', { token, password: NEXT })).toMatchObject({ status: 200 });
    await expectNoTraces(trap);
    expect((await auth.login(trap.email, NEXT)).user.email_verified).toBe(true);
    expect(await auth.post('/login', { email: trap.email, password: STRANGER })).toMatchObject({ status: 401 });
  });

  it('is replaced when an invitation of another organization is accepted with a new password', async () => {
    const trap = await occupied();
    const tenant = await fixture.tenant();
    await fixture.call('POST', '/api/organization/invitations', {
      key: tenant.key,
      body: { email: trap.email, role: 'admin' },
    });
    const token = tokenIn(await mails.newest(trap.email, 'invitation'));
    const look = await fixture.call('GET', `/api/auth/invitations/${token}`);
    expect(look.data).toMatchObject({ invitation: { hasAccount: false } });
    const answer = await fixture.call('POST', `/api/auth/invitations/${token}`, {
      body: { name: 'Victim', password: NEXT },
    });
    expect(answer.status).toBe(200);
    await expectNoTraces(trap);
    const session = await fixture.call('GET', '/api/auth/session', { cookie: cookieOf(answer, 'session') });
    expect(session.data).toMatchObject({ user: { name: 'Victim' }, workspace: { id: tenant.workspace.id } });
    expect((await auth.login(trap.email, NEXT)).user.email_verified).toBe(true);
  });

  it('is replaced when the operator adds the address to an organization', async () => {
    const trap = await occupied();
    const { organizationId } = await fixture.tenant();
    const add = (body: object) =>
      fixture.call('POST', `/api/platform/organizations/${organizationId}/users`, {
        operator: true,
        body: { email: trap.email, role: 'member', ...body },
      });
    expect((await add({})).status).toBe(422);
    expect((await add({ name: 'Victim', password: NEXT })).status).toBe(201);
    await expectNoTraces(trap);
    expect((await auth.login(trap.email, NEXT)).user.email_verified).toBe(true);
  });
});
