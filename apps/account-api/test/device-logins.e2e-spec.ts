import type { Role } from '@heliograph/contracts';
import { unique } from '@heliograph/testing';
import type { OneKey } from '../src/developer/api-keys/api-keys.dto';
import type { OneDeviceLogin } from '../src/identity/device-logins/device-logins.dto';
import { DeviceLoginsService } from '../src/identity/device-logins/device-logins.service';
import type { V1DeviceLogin, V1DeviceToken } from '../src/identity/device-logins/v1-device-logins.dto';
import { AccountFixture, type Answer, type Credentials, type Tenant } from './account-fixture';

type Failure = Pick<Answer, 'status' | 'error'>;

describe('the login of a device', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let cookie: string;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    cookie = await fixture.login(tenant.owner.email);
  });

  const start = (body: object = {}) =>
    fixture.v1<V1DeviceLogin & Failure>('POST', '/api/v1/auth/device', {
      body: { name: `Command line ${unique()}`, ...body },
    });
  const poll = (deviceCode: unknown) =>
    fixture.v1<V1DeviceToken & Failure>('POST', '/api/v1/auth/device/token', { body: { device_code: deviceCode } });
  const decide = <T>(what: 'lookup' | 'approve' | 'deny', body: object, as: Credentials = { cookie }) =>
    fixture.call<T>('POST', `/api/auth/device/${what}`, { ...as, body });
  const approve = (userCode: string, body: object = {}, as: Credentials = { cookie }) =>
    decide<OneKey>('approve', { userCode, name: `laptop ${unique()}`, ...body }, as);
  const sessionOf = async (role: Role) => fixture.login((await fixture.user(tenant.organizationId, role)).email);
  const codeOf = ({ error }: Failure) => (error as Failure['error'] | undefined)?.code;
  /** Lets the time of a login pass. */
  const age = (userCode: string, seconds: number) =>
    fixture.database.query(
      `UPDATE auth.device_logins SET expires_at = expires_at - $2 * interval '1 second', polled_at = polled_at - $2 * interval '1 second'
       WHERE user_code = $1`,
      [userCode.replace('-', ''), seconds],
    );

  const cleanUp = () => fixture.service.app.get(DeviceLoginsService, { strict: false }).cleanUp();

  it('shows who asks for what, and gives the key with the chosen scopes once', async () => {
    const name = `Command line on laptop ${unique()}`;
    const login = await start({ name, scopes: ['sms:send', 'email:send'] });
    expect(login).toMatchObject({
      status: 201,
      verification_uri: 'http://console.example/console/device',
      verification_uri_complete: `http://console.example/console/device#${login.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await poll(login.device_code)).toMatchObject({ status: 400, error: { code: 'AUTH_DEVICE_PENDING' } });

    const typed = login.user_code.toLowerCase().replace('-', ' ');
    const { data } = await decide<OneDeviceLogin>('lookup', { userCode: typed });
    expect(data.deviceLogin).toMatchObject({
      userCode: login.user_code,
      name,
      mode: 'test',
      scopes: ['sms:send', 'email:send'],
      ipAddress: '127.0.0.1',
    });
    const approved = await approve(typed, { name, scopes: ['sms:send'] });
    expect(approved.data).toEqual({
      apiKey: expect.objectContaining({ name, mode: 'test', scopes: ['sms:send'], role: 'member' }) as object,
    });

    const token = await poll(login.device_code);
    expect(token).toEqual({
      status: 200,
      headers: expect.anything() as unknown,
      api_key: expect.stringMatching(/^msg_test_\w{40}$/) as string,
      key_id: approved.data.apiKey.id,
      name,
      mode: 'test',
      scopes: ['sms:send'],
    });
    expect(codeOf(await poll(login.device_code))).toBe('AUTH_DEVICE_EXPIRED');
    // A key with scopes is for the messaging APIs only: it is known, but may not do this.
    expect((await fixture.call('GET', '/api/workspaces', { key: token.api_key })).status).toBe(403);
  });

  it('gives a live key that works, and audits who approved and which address fetched it', async () => {
    const login = await start({ mode: 'live' });
    const { apiKey } = (await approve(login.user_code)).data;
    const { api_key: key } = await poll(login.device_code);
    expect((await fixture.call('GET', '/api/workspaces', { key })).status).toBe(200);
    const entries = await fixture.database.query(
      'SELECT action, actor_kind, actor_name, ip_address FROM audit.entries WHERE target_id = $1 ORDER BY id',
      [apiKey.id],
    );
    expect(entries).toEqual([
      expect.objectContaining({ action: 'apikey.created', actor_kind: 'user', actor_name: tenant.owner.email }),
      expect.objectContaining({ action: 'apikey.issued', actor_kind: 'key', actor_name: apiKey.name }),
    ]);
  });

  it('stores no secret: neither the device code nor the key before it is fetched', async () => {
    const login = await start({ mode: 'live' });
    await fixture.call('POST', '/api/auth/device/approve', {
      cookie,
      headers: { 'idempotency-key': unique() },
      body: { userCode: login.user_code, name: `laptop ${unique()}` },
    });
    const [dump] = await fixture.database.query<{ all: string }>(
      `SELECT (SELECT json_agg(t)::text FROM auth.device_logins AS t) || coalesce((SELECT json_agg(t)::text FROM idempotency.answers AS t), '') AS all`,
    );
    expect(dump!.all).toContain(login.user_code.replace('-', ''));
    expect(dump!.all).not.toContain(login.device_code);
    expect(dump!.all).not.toMatch(/msg_live_\w{40}/);
  });

  it('gives one key to one of several polls at once', async () => {
    const login = await start();
    await approve(login.user_code);
    const answers = await Promise.all(Array.from({ length: 5 }, () => poll(login.device_code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it('is approved once: one of several approvals at once creates a key', async () => {
    const login = await start();
    const answers = await Promise.all(Array.from({ length: 3 }, () => approve(login.user_code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  it('asks a device that polls too early to slow down, each time by 5 seconds', async () => {
    const login = await start();
    const codes = [];
    for (let n = 0; n < 2; n++) codes.push(codeOf(await poll(login.device_code)));
    await age(login.user_code, 6);
    codes.push(codeOf(await poll(login.device_code)));
    await age(login.user_code, 16);
    codes.push(codeOf(await poll(login.device_code)));
    expect(codes).toEqual([
      'AUTH_DEVICE_PENDING',
      'AUTH_DEVICE_SLOW_DOWN',
      'AUTH_DEVICE_SLOW_DOWN',
      'AUTH_DEVICE_PENDING',
    ]);
  });

  it('gives no key if it was denied, has expired, or its key was revoked', async () => {
    const denied = await start();
    expect((await decide('deny', { userCode: denied.user_code })).status).toBe(204);
    expect(codeOf(await poll(denied.device_code))).toBe('AUTH_DEVICE_DENIED');
    expect((await approve(denied.user_code)).status).toBe(404);

    const late = await start();
    await age(late.user_code, 601);
    expect(codeOf(await poll(late.device_code))).toBe('AUTH_DEVICE_EXPIRED');
    for (const what of ['lookup', 'deny'] as const) {
      expect((await decide(what, { userCode: late.user_code })).error.code).toBe('NOT_FOUND');
    }
    expect((await approve(late.user_code)).error.code).toBe('NOT_FOUND');

    const revoked = await start();
    const { apiKey } = (await approve(revoked.user_code)).data;
    await fixture.call('DELETE', `/api/organization/api-keys/${apiKey.id}`, { cookie });
    expect(codeOf(await poll(revoked.device_code))).toBe('STATE_CONFLICT');
  });

  it('is approved by owners and admins only, who grant at most their own role', async () => {
    const login = await start();
    for (const role of ['member', 'viewer'] as const) {
      const as = { cookie: await sessionOf(role) };
      expect((await decide('lookup', { userCode: login.user_code }, as)).error.code).toBe('FORBIDDEN');
      expect((await approve(login.user_code, {}, as)).error.code).toBe('FORBIDDEN');
      expect((await decide('deny', { userCode: login.user_code }, as)).error.code).toBe('FORBIDDEN');
    }
    const admin = { cookie: await sessionOf('admin') };
    expect((await approve(login.user_code, { role: 'owner' }, admin)).error.code).toBe('FORBIDDEN');
    expect((await approve(login.user_code, { role: 'admin' }, admin)).data.apiKey.role).toBe('admin');
  });

  it('changes nothing if the name of the key is taken', async () => {
    const name = `laptop ${unique()}`;
    const first = await start();
    const second = await start();
    expect((await approve(first.user_code, { name })).status).toBe(200);
    expect((await approve(second.user_code, { name })).error.code).toBe('NAME_TAKEN');
    expect(codeOf(await poll(second.device_code))).toBe('AUTH_DEVICE_PENDING');
  });

  it.each([
    [{ name: undefined }],
    [{ name: '' }],
    [{ name: 'visit https://evil.example' }],
    [{ name: 'two\nlines' }],
    [{ name: 'nul\u0000' }],
    [{ mode: 'production' }],
    [{ scopes: ['everything'] }],
    [{ scopes: 'sms:send' }],
    [{ scopes: Array.from({ length: 7 }, () => 'sms:send') }],
    [{ role: 'owner' }],
  ])('is not started with %j', async (body) => {
    expect(await start(body)).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } });
  });

  it.each([undefined, '', 7, 'x'.repeat(101), 'nul\u0000'])('is not polled with the device code %j', async (code) => {
    expect(await poll(code)).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } });
  });

  it.each([undefined, '', 7, 'WDJB', 'WDJB-MJH\u0000'])('is not found with the user code %j', async (userCode) => {
    for (const what of ['lookup', 'approve', 'deny'] as const) {
      expect((await decide(what, { userCode, name: 'x' })).error).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('userCode') as string,
      });
    }
  });

  it('does not accept a code that nobody has', async () => {
    expect((await decide('lookup', { userCode: 'WDJB-MJHT' })).status).toBe(404);
    expect(codeOf(await poll('unknown'))).toBe('AUTH_DEVICE_EXPIRED');
  });

  it('limits starts and guesses of codes by address, and polls separately', async () => {
    const limited = await fixture.beside({ ACCOUNT_AUTH_RATE_PER_MINUTE: '2', ACCOUNT_RATE_PER_MINUTE: '20' });
    try {
      const post = async (path: string, body: object, as: Credentials = {}) =>
        (await limited.call('POST', path, { ...as, body })).status;
      const times = async (count: number, call: () => Promise<number>) => {
        const found = [];
        for (let n = 0; n < count; n++) found.push(await call());
        return found;
      };
      expect(await times(3, () => post('/api/v1/auth/device', { name: 'x' }))).toEqual([201, 201, 429]);
      const guess = () => post('/api/auth/device/lookup', { userCode: 'WDJB-MJHT' }, { key: tenant.key });
      expect(await times(3, guess)).toEqual([404, 404, 429]);
      const polls = await times(21, () => post('/api/v1/auth/device/token', { device_code: 'x' }));
      expect([polls.slice(0, 10), polls.at(-1)]).toEqual([Array.from({ length: 10 }, () => 400), 429]);
    } finally {
      await limited.service.stop();
    }
  });

  it('revokes a key that was approved and not fetched in time', async () => {
    const login = await start();
    const { data } = await approve(login.user_code);
    const fetched = await start();
    const kept = await approve(fetched.user_code);
    await poll(fetched.device_code);
    for (const { user_code: code } of [login, fetched]) await age(code, 601);
    await cleanUp();
    const keys = await fixture.database.query<{ id: string; revoked: boolean }>(
      'SELECT id, revoked_at IS NOT NULL AS revoked FROM auth.api_keys WHERE id = ANY ($1)',
      [[data.apiKey.id, kept.data.apiKey.id]],
    );
    expect(Object.fromEntries(keys.map(({ id, revoked }) => [id, revoked]))).toEqual({
      [data.apiKey.id]: true,
      [kept.data.apiKey.id]: false,
    });
  });

  it('is deleted when it has expired', async () => {
    const login = await start();
    await age(login.user_code, 601);
    await cleanUp();
    const rows = await fixture.database.query('SELECT 1 FROM auth.device_logins WHERE user_code = $1', [
      login.user_code.replace('-', ''),
    ]);
    expect(rows).toEqual([]);
  });
});
