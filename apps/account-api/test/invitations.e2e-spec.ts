import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import { AccountFixture, type Credentials, type Tenant } from './account-fixture';
import { MailTap, tokenIn } from './mail-tap';

type Fields = Record<string, unknown>;

describe('/api/organization/invitations', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  let tenant: Tenant;
  beforeAll(async () => {
    const shared = await AccountFixture.shared();
    fixture = await shared.beside({ ACCOUNT_INVITATION_URL: 'https://console.example/join/{token}' });
    mails = await MailTap.on(fixture);
    tenant = await fixture.tenant();
  });
  afterAll(async () => {
    await mails.stop();
    await fixture.service.stop();
  });

  const invitations = '/api/organization/invitations';
  const invite = (by: Credentials, body: unknown, headers: Record<string, string> = {}) =>
    fixture.call<{ invitation: Fields }>('POST', invitations, { ...by, body, headers });
  const someone = () => `guest-${unique()}@example.com`;
  const invited = async (email = someone()) => (await invite({ key: tenant.key }, { email })).data.invitation;
  const minutesLater = (minutes: number, email: string) =>
    fixture.database.query(
      'UPDATE users.invitation_mails SET sent_at = sent_at - make_interval(mins => $1) WHERE email = $2',
      [minutes, email],
    );
  const look = (token: string) => fixture.call('GET', `/api/auth/invitations/${token}`);
  const notFound = { status: 404, ok: false, error: { code: 'NOT_FOUND' } };

  it('sends a link whose token is neither in the response nor in the database', async () => {
    const email = someone();
    const by = { cookie: await fixture.login(tenant.owner.email) };
    const answer = await invite(by, { email: ` ${email.toUpperCase()}`, role: 'viewer' }, { 'x-request-id': 'req-1' });
    expect(answer).toMatchObject({ status: 201, ok: true });
    expect(answer.data.invitation).toEqual({
      id: expect.any(String) as string,
      email,
      role: 'viewer',
      status: 'open',
      invitedBy: tenant.owner.email,
      createdAt: expect.stringMatching(/Z$/) as string,
      expiresAt: expect.stringMatching(/Z$/) as string,
    });
    const days = (Date.parse(answer.data.invitation['expiresAt'] as string) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
    const mail = await mails.newest(email, 'invitation');
    expect(mail).toMatchObject({ organizationId: tenant.organizationId, correlationId: 'req-1' });
    expect(mail.content.text).toContain('https://console.example/join/');
    expect(mail.content.html).toContain(tokenIn(mail));
    expect(mail.content.text).toContain(tenant.owner.email);
    expect(JSON.stringify(answer)).not.toContain(tokenIn(mail));
    // The event carries a reference to the content.
    expect(JSON.stringify({ ...mail, content: null })).not.toContain(tokenIn(mail));
    const stored = await fixture.database.query<{ row: string }>(
      'SELECT i::text AS row FROM users.invitations AS i UNION ALL SELECT e::text FROM audit.entries AS e',
    );
    expect(stored.length).toBeGreaterThan(1);
    expect(stored.map(({ row }) => row).join()).not.toContain(tokenIn(mail));
  });

  it('invites with the role member by default', async () => {
    expect((await invited())['role']).toBe('member');
  });

  it.each([
    ['a missing email', {}, 'email'],
    ['a number', { email: 1 }, 'email'],
    ['an invalid address', { email: 'ann' }, 'email'],
    ['a non-ASCII local part', { email: 'jörg@b.example' }, 'email'],
    ['two consecutive dots', { email: 'a..b@c.example' }, 'email'],
    ['two addresses', { email: 'a@b.example,c@d.example' }, 'email'],
    ['a display name with the address', { email: 'Ann <a@b.example>' }, 'email'],
    ['a line break', { email: 'a@b.example\r\nBcc: c@d.example' }, 'email'],
    ['an unknown role', { email: 'a@b.example', role: 'god' }, 'role'],
    ['null as the role', { email: 'a@b.example', role: null }, 'role'],
  ])('rejects %s with 422 and the name of the field', async (_what, body, field) => {
    const answer = await invite({ key: tenant.key }, body);
    expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    expect(answer.error.message).toMatch(new RegExp(`^${field}: `));
  });

  it('rejects existing members with 409 ALREADY_MEMBER', async () => {
    const answer = await invite({ key: tenant.key }, { email: tenant.owner.email.toUpperCase() });
    expect(answer).toMatchObject({ status: 409, error: { code: 'ALREADY_MEMBER' } });
    const another = await fixture.tenant();
    expect((await invite({ key: tenant.key }, { email: another.owner.email })).status).toBe(201);
  });

  it('allows only owners to invite owners, and does not allow members to invite anyone', async () => {
    const byRole = async (role: 'owner' | 'admin' | 'member' | 'viewer', wanted: string) => {
      const { email } = await fixture.user(tenant.organizationId, role);
      return (await invite({ cookie: await fixture.login(email) }, { email: someone(), role: wanted })).status;
    };
    expect(await byRole('owner', 'owner')).toBe(201);
    expect(await byRole('admin', 'owner')).toBe(403);
    expect(await byRole('admin', 'admin')).toBe(201);
    expect(await byRole('member', 'viewer')).toBe(403);
    expect(await byRole('viewer', 'viewer')).toBe(403);
  });

  it('replaces an open invitation of the same address', async () => {
    const email = someone();
    const { id } = await invited(email);
    const first = tokenIn(await mails.newest(email, 'invitation'));
    await invited(email);
    const second = tokenIn(await mails.newest(email, 'invitation', 2));
    expect(await look(first)).toMatchObject(notFound);
    expect((await look(second)).status).toBe(200);
    const old = await fixture.call<{ invitation: Fields }>('GET', `${invitations}/${id as string}`, {
      key: tenant.key,
    });
    expect(old.data.invitation['status']).toBe('revoked');
  });

  it('replays the response for the same Idempotency-Key and sends one email', async () => {
    const email = someone();
    const headers = { 'idempotency-key': unique() };
    const first = await invite({ key: tenant.key }, { email }, headers);
    const again = await invite({ key: tenant.key }, { email }, headers);
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await invite({ key: tenant.key }, { email: someone() }, headers);
    expect(other).toMatchObject({ status: 409, error: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    const bad = await invite({ key: tenant.key }, { email }, { 'idempotency-key': '' });
    expect(bad).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } });
    // Emails arrive in order, so an email of the repeated request would arrive before this one.
    const later = someone();
    await invited(later);
    await mails.newest(later, 'invitation');
    expect(mails.to(email)).toHaveLength(1);
  });

  it('sends a new link when it is resent and invalidates the previous one', async () => {
    const email = someone();
    const { id } = await invited(email);
    const first = tokenIn(await mails.newest(email, 'invitation'));
    await fixture.database.query(
      `UPDATE users.invitations SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await look(first)).toMatchObject(notFound);
    const status = async () =>
      (await fixture.call<{ invitation: Fields }>('GET', `${invitations}/${id as string}`, { key: tenant.key })).data
        .invitation['status'];
    expect(await status()).toBe('expired');
    const again = await fixture.call('POST', `${invitations}/${id as string}/resend`, { key: tenant.key });
    expect(again).toMatchObject({ status: 200, data: { invitation: { id, status: 'open' } } });
    const second = tokenIn(await mails.newest(email, 'invitation', 2));
    expect(await look(first)).toMatchObject(notFound);
    expect((await look(second)).status).toBe(200);
  });

  it('row 6: resends an invitation at most every ten minutes, also if it is replaced by a new one', async () => {
    const email = someone();
    const { id } = await invited(email);
    const resend = (which: unknown) =>
      fixture.call('POST', `${invitations}/${which as string}/resend`, { key: tenant.key });
    expect((await resend(id)).status).toBe(200);
    const refused = await resend(id);
    expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(590);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
    const replacement = await invited(email);
    expect((await resend(replacement.id)).status).toBe(429);
    await minutesLater(10, email);
    const statuses = await Promise.all([1, 2, 3].map(() => resend(replacement.id)));
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  });

  it('row 6: sends at most 10 emails a day to an address and 200 a day for an organization', async () => {
    const email = someone();
    const one = await fixture.tenant();
    const other = await fixture.tenant();
    const sent = (organizationId: string, times: number, to: string) =>
      fixture.database.query(
        `INSERT INTO users.invitation_mails (id, organization_id, email, sent_at)
         SELECT gen_random_uuid(), $1, $3, now() - interval '1 hour' FROM generate_series(1, $2::int)`,
        [organizationId, times, to],
      );
    await sent(one.organizationId, 9, email);
    expect((await invite({ key: one.key }, { email })).status).toBe(201);
    const limited = { status: 429, error: { code: 'RATE_LIMITED' } };
    expect(await invite({ key: other.key }, { email })).toMatchObject(limited);
    await sent(other.organizationId, 199, 'someone@example.com');
    expect((await invite({ key: other.key }, { email: someone() })).status).toBe(201);
    const refused = await invite({ key: other.key }, { email: someone() });
    expect(refused).toMatchObject(limited);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(22 * 3_600);
  });

  it.each(['Win at https://evil.example', 'Go to WWW.evil.example', 'Acme\u2028Bcc: x', 'Acme\nBcc: x'])(
    'row 6: rejects the organization name %j',
    async (name) => {
      const answer = await fixture.call('PATCH', '/api/organization', { key: tenant.key, body: { name } });
      expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    },
  );

  it('can be revoked once', async () => {
    const email = someone();
    const { id } = await invited(email);
    const token = tokenIn(await mails.newest(email, 'invitation'));
    const revoke = () => fixture.call('DELETE', `${invitations}/${id as string}`, { key: tenant.key });
    expect(await revoke()).toMatchObject({ status: 200, data: { invitation: { id, status: 'revoked' } } });
    expect(await look(token)).toMatchObject(notFound);
    const conflict = { status: 409, error: { code: 'STATE_CONFLICT' } };
    expect(await revoke()).toMatchObject(conflict);
    const again = await fixture.call('POST', `${invitations}/${id as string}/resend`, { key: tenant.key });
    expect(again).toMatchObject(conflict);
    const actions = await fixture.database.query('SELECT action FROM audit.entries WHERE target_id = $1 ORDER BY id', [
      id,
    ]);
    expect(actions).toEqual([{ action: 'invitation.created' }, { action: 'invitation.revoked' }]);
  });

  it('lists invitations newest first, in pages', async () => {
    const fresh = await fixture.tenant();
    const made: unknown[] = [];
    for (let i = 0; i < 3; i++) made.unshift((await invite({ key: fresh.key }, { email: someone() })).data.invitation);
    const page = async (query: string) =>
      (
        await fixture.call<{ invitations: Fields[]; nextCursor?: string }>('GET', `${invitations}${query}`, {
          key: fresh.key,
        })
      ).data;
    expect((await page('')).invitations).toEqual(made);
    const first = await page('?limit=2');
    const second = await page(`?limit=2&cursor=${first.nextCursor ?? ''}`);
    expect([...first.invitations, ...second.invitations]).toEqual(made);
    expect('nextCursor' in second).toBe(false);
  });

  it('does not find invitations of another organization', async () => {
    const another = await fixture.tenant();
    const { id } = await invited();
    for (const one of [id as string, newId(), 'x', '%00']) {
      for (const [method, where] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/resend'],
      ] as const) {
        const answer = await fixture.call(method, `${invitations}/${one}${where}`, { key: another.key });
        expect(answer).toMatchObject(notFound);
      }
    }
    expect((await fixture.call('GET', `${invitations}/${id as string}`, { key: tenant.key })).status).toBe(200);
  });
});
