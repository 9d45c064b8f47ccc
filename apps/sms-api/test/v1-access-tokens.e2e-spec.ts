import type { Role } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { hashToken, newToken } from '@heliograph/secrets';
import { call } from './calls';
import type { SmsFixture, SmsTenant } from './sms-fixture';
import { V1Calls, type Fields } from './v1-calls';

describe('access tokens of the v1 API', () => {
  let v1: V1Calls;
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms } = v1);
  });
  beforeEach(async () => {
    tenant = await sms.tenant();
  });

  /** Creates a user with a session and an access token, in the same way as account-api stores them. */
  const login = async (
    role: Role,
    { verified = true, organizationId = tenant.organizationId as string | null } = {},
  ) => {
    const userId = newId();
    const sessionId = newId();
    const token = `hat_${newToken()}`;
    const cookieToken = newToken();
    await sms.database.query(
      `INSERT INTO users.users (id, email, name, password_hash, email_verified_at)
       VALUES ($1::uuid, $1::text || '@example.com', 'Ann', '', CASE WHEN $2 THEN now() END)`,
      [userId, verified],
    );
    if (organizationId !== null) {
      await sms.database.query('INSERT INTO users.members (organization_id, user_id, role) VALUES ($1, $2, $3)', [
        organizationId,
        userId,
        role,
      ]);
    }
    await sms.database.query(
      `INSERT INTO users.sessions (id, user_id, token_hash, expires_at) VALUES ($1, $2, $3, now() + interval '1 hour')`,
      [sessionId, userId, hashToken(cookieToken)],
    );
    await sms.database.query(
      `INSERT INTO users.access_tokens (token_hash, session_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
      [hashToken(token), sessionId],
    );
    return { token, userId, sessionId, cookie: `session=${cookieToken}` };
  };
  const message = (): Fields => ({
    to: sms.recipient(),
    sender_id: tenant.sender.id,
    template_id: tenant.template.id,
    variables: { code: '1' },
  });
  const send = (token: string, headers = {}, body = message()) => v1.post('/send', body, token, headers);

  it('send as the user, and once per Idempotency-Key', async () => {
    const { token, userId } = await login('member');
    const key = newId();
    const body = message();
    const first = await send(token, { 'Idempotency-Key': key }, body);
    expect(first).toMatchObject({ status: 202, body: { status: 'queued' } });
    expect((await send(token, { 'Idempotency-Key': key }, body)).body).toEqual(first.body);
    expect(await v1.get(`/delivery/${String(first.body['id'])}`, token)).toMatchObject({ status: 200 });
    const stored = await sms.database.query('SELECT caller_id FROM idempotency.answers WHERE key = $1', [key]);
    expect(stored).toEqual([{ caller_id: userId }]);
  });

  it('can run campaigns', async () => {
    const { token } = await login('admin');
    await sms.database.query(
      `INSERT INTO contacts.contacts (id, organization_id, phone, source) VALUES ($1, $2, $3, 'api')`,
      [newId(), tenant.organizationId, sms.recipient()],
    );
    const { status, body } = await v1.post(
      '/campaigns',
      { ...message(), to: undefined, name: 'All', audience: { filter: {} } },
      token,
    );
    expect(status).toBe(201);
    await until('the campaign is completed', async () => {
      const campaign = (await v1.get(`/campaigns/${String(body['id'])}`, token)).body as { status: string };
      return campaign.status === 'completed';
    });
  });

  it('have the permissions of the role of the user', async () => {
    const { token } = await login('viewer');
    expect(await send(token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await v1.get('/messages', token)).toMatchObject({ status: 200 });
  });

  it('cannot send before the email address is verified', async () => {
    const { token, userId } = await login('owner', { verified: false });
    expect(await send(token)).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } });
    expect(await v1.get('/messages', token)).toMatchObject({ status: 200 });
    const { body } = await v1.post('/quote', message(), token);
    expect(body).toMatchObject({
      verdict: 'refused',
      checks: expect.arrayContaining([expect.objectContaining({ name: 'permission', result: 'failed' })]) as unknown,
    });
    await sms.database.query('UPDATE users.users SET email_verified_at = now() WHERE id = $1', [userId]);
    expect(await send(token)).toMatchObject({ status: 202 });
  });

  it('are rejected immediately when the login ends, and from addresses that are not on the allow-list', async () => {
    const { token, sessionId } = await login('member');
    await sms.database.query(`UPDATE tenancy.organizations SET ip_allowlist = '{203.0.113.0/24}' WHERE id = $1`, [
      tenant.organizationId,
    ]);
    expect(await send(token)).toMatchObject({ status: 403, body: { code: 'IP_NOT_ALLOWED' } });
    await sms.database.query('UPDATE users.sessions SET revoked_at = now() WHERE id = $1', [sessionId]);
    expect(await send(token)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });

  it('return 403 for users without an organization, and 401 if they are unknown', async () => {
    const { token } = await login('member', { organizationId: null });
    expect(await v1.get('/messages', token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    for (const unknown of ['hat_', `hat_${newToken()}`, `hat_${'x'.repeat(200)}`]) {
      expect(await v1.get('/messages', unknown)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    }
  });

  it('are rejected by the unversioned API', async () => {
    const { token } = await login('owner');
    expect(await call(sms, '/sms/balance', { key: token, method: 'GET' })).toMatchObject({ status: 401 });
  });

  describe('beside session cookies of the console', () => {
    const read = (headers: Record<string, string>) => call(sms, '/api/v1/sms/messages', { headers });
    const write = (headers: Record<string, string>) =>
      call(sms, '/api/v1/sms/send', { method: 'POST', json: message(), headers });
    const own = () => ({ origin: sms.url });

    it('read and send with a cookie, from pages of this site only', async () => {
      const { cookie } = await login('member');
      expect((await read({ cookie })).status).toBe(200);
      expect((await write({ cookie, ...own() })).status).toBe(202);
      expect((await write({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(202);
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'same-site' },
        {},
      ];
      for (const headers of foreign) {
        expect(await write({ cookie, ...headers })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      }
    });

    it('have the permissions of the role, and end with the session', async () => {
      const { cookie, sessionId } = await login('viewer');
      expect((await write({ cookie, ...own() })).status).toBe(403);
      expect((await read({ cookie })).status).toBe(200);
      await sms.database.query('UPDATE users.sessions SET revoked_at = now() WHERE id = $1', [sessionId]);
      expect((await read({ cookie })).status).toBe(401);
    });

    it('do not replace an invalid key or token', async () => {
      const { cookie } = await login('owner');
      expect((await read({ cookie, authorization: 'Bearer unknown' })).status).toBe(401);
      expect((await read({ cookie, 'x-api-key': '' })).status).toBe(401);
    });

    it('are refused if they are malformed, repeated or expired', async () => {
      const { cookie, sessionId } = await login('owner');
      for (const value of ['session=', 'session=x', `session=${'x'.repeat(5_000)}`, `${cookie}; session=other`]) {
        expect([value.slice(0, 30), (await read({ cookie: value })).status]).toEqual([value.slice(0, 30), 401]);
      }
      await sms.database.query(`UPDATE users.sessions SET expires_at = now() - interval '1 second' WHERE id = $1`, [
        sessionId,
      ]);
      expect((await read({ cookie })).status).toBe(401);
    });
  });
});
