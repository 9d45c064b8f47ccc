import { AccountFixture, PASSWORD } from './account-fixture';
import { address, AuthCalls, NEXT } from './auth-calls';
import { MailTap } from './mail-tap';

describe('/api/v1/auth', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  let auth: AuthCalls;
  beforeAll(async () => {
    fixture = await AccountFixture.start({ REGISTRATION: 'open', REGISTRATION_CREDITS: 'sms:100,email:50' });
    mails = await MailTap.on(fixture);
    auth = new AuthCalls(fixture, mails);
  });
  afterAll(async () => {
    await mails.stop();
    await fixture.stop();
  });

  describe('POST /register', () => {
    it('creates a user, an organization, its first workspace and credits, and sends a verification email', async () => {
      const email = address();
      const { status, user, organization, workspace } = await auth.register({ email: email.toUpperCase() });
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
      const { access_token: token } = await auth.login(email);
      expect((await auth.get('/api/workspaces', token)).data['workspaces']).toMatchObject([{ id: workspace.id }]);
      expect(await auth.tokenOf(email, 'email-verification')).not.toBe('');
    });

    it('returns the same response for a registered address, creates nothing, and sends an email to its owner', async () => {
      const { email, registration } = await auth.verified();
      const count = async () =>
        (await fixture.database.query('SELECT (SELECT count(*) FROM tenancy.organizations) AS all'))[0];
      const before = await count();
      const second = await auth.register({ email, password: NEXT, name: 'Eve' });
      expect(second.status).toBe(201);
      expect(Object.keys(second)).toEqual(Object.keys(registration));
      expect(second.user).toMatchObject({ name: 'Eve', email, email_verified: false });
      expect(second.user.id).not.toBe(registration.user.id);
      expect(second.organization.id).not.toBe(registration.organization.id);
      expect(await count()).toEqual(before);
      expect((await mails.newest(email, 'registration')).content.subject).toBe('You already have an account');
      expect(await auth.post('/login', { email, password: NEXT })).toMatchObject({ status: 401 });
      await auth.register({ email });
      await auth.login(email);
      expect(mails.to(email).filter(({ data }) => data.purpose === 'registration')).toHaveLength(1);
    });

    it('creates one user for concurrent registrations of the same address', async () => {
      const email = address();
      const answers = await Promise.all(Array.from({ length: 5 }, () => auth.register({ email })));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
      const users = await fixture.database.query<{ id: string }>('SELECT id FROM users.users WHERE email = $1', [
        email,
      ]);
      expect(users).toHaveLength(1);
      expect(answers.map(({ user }) => user.id)).toContain(users[0]!.id);
    });

    it('finds a user of an earlier release by the domain that the user registered with', async () => {
      const { email } = await auth.verified();
      const legacy = email.replace('@', '@bücher.');
      await fixture.database.query('UPDATE users.users SET email = $2 WHERE email = $1', [email, legacy]);
      await auth.register({ email: legacy, password: NEXT });
      await auth.login(legacy);
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
      [{ password: 'iloveyou1' }, 'password'],
      [{ password: 'acme & söhne, inc.1' }, 'password'],
      [{ password: 'Ann Example' }, 'password'],
      [{ name: '' }, 'name'],
      [{ name: 'see https://evil.example' }, 'name'],
      [{ organization: 'a\nb' }, 'organization'],
      [{ organization: { constructor: 1 } }, 'organization'],
    ])('rejects %j and names the field', async (fields, field) => {
      const answer = await auth.register(fields);
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
      expect(answer.fields?.map((one) => one.field)).toEqual([field]);
    });

    it('rejects the email address as the password', async () => {
      const email = address();
      expect(await auth.register({ email, password: email })).toMatchObject({
        status: 400,
        fields: [{ field: 'password' }],
      });
    });
  });

  describe('POST /verify-email', () => {
    it('verifies an address once, and does not reveal which addresses are registered', async () => {
      const email = address();
      await auth.register({ email });
      const token = await auth.tokenOf(email, 'email-verification');
      expect(await auth.post('/verify-email', { token })).toMatchObject({ status: 200, email_verified: true });
      expect(await auth.post('/verify-email', { token })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect((await auth.login(email)).user.email_verified).toBe(true);
      for (const one of [email, address(), 'not an address @']) {
        const answer = await auth.post('/verify-email', { email: one });
        expect(answer).toMatchObject(one.includes(' ') ? { status: 400 } : { status: 202 });
      }
      expect(await auth.post('/verify-email', {})).toMatchObject({ status: 400, fields: [{ field: 'token' }] });
    });

    it('sends a new link at most once per minute', async () => {
      const email = address();
      await auth.register({ email });
      await auth.tokenOf(email, 'email-verification');
      expect(await auth.post('/verify-email', { email })).toMatchObject({ status: 202 });
      await fixture.database.query(
        `UPDATE users.email_verifications SET expires_at = expires_at - interval '61 seconds'
         WHERE user_id = (SELECT id FROM users.users WHERE email = $1)`,
        [email],
      );
      await auth.post('/verify-email', { email });
      expect(await auth.tokenOf(email, 'email-verification', 2)).not.toBe('');
      expect(mails.to(email)).toHaveLength(2);
    });
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
