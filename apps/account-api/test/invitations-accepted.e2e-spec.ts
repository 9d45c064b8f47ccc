import { unique } from '@heliograph/testing';
import { AccountFixture, cookieOf, PASSWORD, type Tenant } from './account-fixture';
import { codeOf, timeInStep, wrongCodeOf } from './authenticator-app';
import { MailTap, tokenIn } from './mail-tap';

const FAILURES = 20;

describe('an invitation', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    mails = await MailTap.on(fixture);
    tenant = await fixture.tenant();
  });
  afterAll(() => mails.stop());

  const someone = () => `guest-${unique()}@example.com`;
  const invite = async (email: string, role = 'member', key = tenant.key): Promise<string> => {
    const before = mails.to(email).length;
    await fixture.call('POST', '/api/organization/invitations', { key, body: { email, role } });
    return tokenIn(await mails.newest(email, 'invitation', before + 1));
  };
  const look = (token: string) => fixture.call('GET', `/api/auth/invitations/${token}`);
  const accept = (token: string, body: unknown, headers: Record<string, string> = {}) =>
    fixture.call<{ session: Record<string, string> }>('POST', `/api/auth/invitations/${token}`, { body, headers });
  const roleOf = async (email: string, organizationId = tenant.organizationId) =>
    (
      await fixture.database.query<{ role: string }>(
        `SELECT role FROM users.members JOIN users.users ON id = user_id WHERE email = $1 AND organization_id = $2`,
        [email, organizationId],
      )
    )[0]?.role;
  const invalid = { status: 401, ok: false, error: { code: 'AUTH_INVALID_CREDENTIALS' } };

  it('shows its details to the holder of the link', async () => {
    const email = someone();
    const { status, data } = await look(await invite(email, 'admin'));
    expect(status).toBe(200);
    const { name } = (await fixture.call<{ organization: { name: string } }>('GET', '/api/organization', tenant)).data
      .organization;
    expect(data['invitation']).toEqual({
      email,
      role: 'admin',
      organizationName: name,
      invitedBy: expect.stringMatching(/^key-/) as string,
      expiresAt: expect.stringMatching(/Z$/) as string,
      hasAccount: false,
    });
    const another = await fixture.tenant();
    const known = await look(await invite(another.owner.email));
    expect(known.data['invitation']).toMatchObject({ hasAccount: true });
  });

  it('creates a user and a member for an unknown address and logs in', async () => {
    const email = someone();
    const answer = await accept(await invite(email, 'viewer'), { name: 'Ann', password: PASSWORD });
    expect(answer).toMatchObject({ status: 200, ok: true });
    expect(Object.keys(answer.data)).toEqual(['session']);
    expect(Object.keys(answer.data.session)).toEqual(['id', 'userId', 'expiresAt']);
    const session = await fixture.call('GET', '/api/auth/session', { cookie: cookieOf(answer, 'session') });
    expect(session.data).toMatchObject({ user: { email, name: 'Ann' }, workspace: { id: tenant.workspace.id } });
    expect(await roleOf(email)).toBe('viewer');
    expect(await fixture.login(email)).toMatch(/^session=/);
    const [entry] = await fixture.database.query(
      `SELECT actor_name, ip_address, after->>'role' AS role FROM audit.entries WHERE action = 'member.joined' AND actor_name = $1`,
      [email],
    );
    expect(entry).toEqual({ actor_name: email, ip_address: '127.0.0.1', role: 'viewer' });
  });

  it('requires a name and a valid password for a new user (422) and remains open', async () => {
    const email = someone();
    const token = await invite(email);
    for (const [body, field] of [
      [{ password: PASSWORD }, 'name'],
      [{ name: '', password: PASSWORD }, 'name'],
      [{ name: 'Ann\u0000', password: PASSWORD }, 'name'],
      [{ name: 1, password: PASSWORD }, 'name'],
      [{ name: 'Ann' }, 'password'],
      [{ name: 'Ann', password: 'short' }, 'password'],
      [{ name: 'Ann', password: email }, 'password'],
      [{ name: 'Ann', password: PASSWORD, code: 1 }, 'code'],
    ] as const) {
      const answer = await accept(token, body);
      expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
      expect(answer.error.message).toMatch(new RegExp(`^${field}: `));
    }
    expect((await accept(token, { name: 'Ann', password: PASSWORD })).status).toBe(200);
  });

  it('requires the password of an existing account and keeps its name', async () => {
    const { owner } = await fixture.tenant();
    const token = await invite(owner.email, 'admin');
    expect(await accept(token, { name: 'Other', password: 'not the password' })).toMatchObject(invalid);
    expect(await roleOf(owner.email)).toBeUndefined();
    const answer = await accept(token, { name: 'Other', password: PASSWORD });
    const cookie = cookieOf(answer, 'session');
    const session = await fixture.call('GET', '/api/auth/session', { cookie });
    // The session belongs to the organization of the invitation, not to the organization joined first.
    expect(session.data).toMatchObject({ user: { name: 'The owner' }, workspace: { id: tenant.workspace.id } });
    expect(await roleOf(owner.email)).toBe('admin');
  });

  it('does not bypass the second factor', async () => {
    const { owner } = await fixture.tenant();
    const cookie = await fixture.login(owner.email);
    const post = (path: string, body: unknown) =>
      fixture.call<{ secret: string }>('POST', `/api/auth/mfa${path}`, { cookie, body });
    await timeInStep();
    const { secret } = (await post('', { password: PASSWORD })).data;
    await post('/confirm', { code: codeOf(secret, -1) });
    const token = await invite(owner.email);
    const without = await accept(token, { password: PASSWORD });
    expect(without).toMatchObject({ status: 403, error: { code: 'AUTH_MFA_REQUIRED' } });
    expect(await accept(token, { password: PASSWORD, code: wrongCodeOf(secret) })).toMatchObject(invalid);
    const code = codeOf(secret);
    expect((await accept(token, { password: PASSWORD, code })).status).toBe(200);
    const login = await fixture.call('POST', '/api/auth/login', {
      body: { email: owner.email, password: PASSWORD, code },
    });
    expect(login).toMatchObject(invalid);
  });

  it('does not bypass the lockout, because its failures count as failed logins', async () => {
    const { owner } = await fixture.tenant();
    const token = await invite(owner.email);
    for (let i = 0; i < FAILURES; i++)
      expect(await accept(token, { password: 'not the password' })).toMatchObject(invalid);
    expect(await accept(token, { password: PASSWORD })).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
    const login = await fixture.call('POST', '/api/auth/login', { body: { email: owner.email, password: PASSWORD } });
    expect(login.status).toBe(429);
  });

  it('is accepted once by concurrent requests', async () => {
    const email = someone();
    const token = await invite(email);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => accept(token, { name: 'Ann', password: PASSWORD })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    expect((await accept(token, { password: PASSWORD })).status).toBe(404);
    expect((await look(token)).status).toBe(404);
  });

  it('keeps the role of a user who became a member in the meantime', async () => {
    const { owner } = await fixture.tenant();
    const token = await invite(owner.email, 'viewer');
    await fixture.factory.dataSource.transaction((transaction) =>
      fixture.members.put(transaction, tenant.organizationId, owner.id, 'admin'),
    );
    expect((await accept(token, { password: PASSWORD })).status).toBe(200);
    expect(await roleOf(owner.email)).toBe('admin');
  });

  it('ends the previous session of the browser and cannot be accepted from a foreign page', async () => {
    const before = await fixture.login(tenant.owner.email);
    const token = await invite(someone());
    const foreign = await accept(token, { name: 'Ann', password: PASSWORD }, { origin: 'https://evil.example' });
    expect(foreign).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    expect((await accept(token, { name: 'Ann', password: PASSWORD }, { cookie: before })).status).toBe(200);
    expect((await fixture.call('GET', '/api/auth/session', { cookie: before })).status).toBe(401);
  });

  it('is NOT_FOUND for an invalid link', async () => {
    for (const token of ['x', 'x'.repeat(43), '%00', 'x'.repeat(4_000), '..%2f..']) {
      expect(await look(token)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
      expect(await accept(token, { name: 'Ann', password: PASSWORD })).toMatchObject({ status: 404 });
    }
  });
});
