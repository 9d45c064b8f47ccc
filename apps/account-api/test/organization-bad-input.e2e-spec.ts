import { gzipSync } from 'node:zlib';
import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import { AccountFixture, PASSWORD, type Tenant } from './account-fixture';

describe('invalid input', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let cookie: string;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    cookie = await fixture.login(tenant.owner.email);
  });

  const TEXT_FIELDS: [method: string, path: string, field: string, others: object][] = [
    ['POST', '/api/auth/login', 'email', { password: 'x' }],
    ['POST', '/api/auth/login', 'code', { email: 'a@b.example', password: 'x' }],
    ['PATCH', '/api/auth/session', 'workspaceId', {}],
    ['PATCH', '/api/auth/user', 'name', {}],
    ['POST', '/api/auth/mfa/confirm', 'code', {}],
    ['DELETE', '/api/auth/mfa', 'code', {}],
    ['PUT', '/api/auth/password', 'newPassword', { currentPassword: PASSWORD }],
    ['POST', '/api/auth/password-resets', 'email', {}],
    ['PATCH', '/api/organization', 'name', {}],
    ['POST', '/api/organization/invitations', 'email', {}],
    ['POST', '/api/organization/api-keys', 'name', {}],
    ['POST', '/api/workspaces', 'displayName', { slug: 'never-made' }],
  ];

  it.each(TEXT_FIELDS)(
    '%s %s rejects NUL and unpaired surrogates in %s with 422',
    async (method, path, field, others) => {
      for (const text of ['\\u0000 and more', '\\ud800 and more', 'more and \\udc00']) {
        const rest = JSON.stringify(others).slice(1, -1);
        const body = `{${rest}${rest === '' ? '' : ','}"${field}":"${text}"}`;
        const answer = await fixture.call(method, path, { cookie, body });
        expect(answer).toMatchObject({ status: 422, ok: false, error: { code: 'VALIDATION_ERROR' } });
        expect(answer.error.message).toContain(`${field}: `);
      }
    },
  );

  it('is rejected in the query string', async () => {
    for (const query of ['action=%00', 'actorId=%00', 'targetId=%00', 'from=%00', 'cursor=%00', 'limit=%00']) {
      const answer = await fixture.call('GET', `/api/organization/audit-log?${query}`, { key: tenant.key });
      expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    }
  });

  const raw = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
    fetch(`${fixture.service.url}/api/organization`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json', ...headers },
      body,
    });
  const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

  it('that is not UTF-8 gets 400 INVALID_REQUEST', async () => {
    const response = await raw(Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]));
    expect([response.status, await codeOf(response)]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('of more than 1 MB gets 413 PAYLOAD_TOO_LARGE, compressed or not', async () => {
    const plain = await raw(`{"name":"${'x'.repeat(1_100_000)}"}`);
    expect([plain.status, await codeOf(plain)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
    expect(bomb.length).toBeLessThan(1_000_000);
    const zipped = await raw(bomb, { 'content-encoding': 'gzip' });
    expect([zipped.status, await codeOf(zipped)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const honest = await raw(gzipSync('{"name":"Zipped"}'), { 'content-encoding': 'gzip' });
    expect(honest.status).toBe(200);
  });

  it('with deep nesting does not affect the service', async () => {
    const response = await raw(`{"name":${'['.repeat(400_000)}${']'.repeat(400_000)}}`);
    expect([400, 422]).toContain(response.status);
    expect((await fixture.call('GET', '/api/organization', { key: tenant.key })).status).toBe(200);
  });

  it('does not pollute prototypes', async () => {
    const answer = await fixture.call('PATCH', '/api/organization', {
      key: tenant.key,
      body: '{"__proto__":{"name":"Polluted"},"constructor":{"prototype":{"name":"Polluted"}},"toString":1}',
    });
    expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
    const required = await fixture.call('POST', '/api/auth/login', {
      body: '{"__proto__":{"email":"a@b.example","password":"x"}}',
    });
    expect(required.error.message).toMatch(/email: .*password: /);
  });

  it.each([
    { plan: 'enterprise' },
    { status: 'locked' },
    { organizationId: newId() },
    { billingCustomer: 'cus_1' },
    { balance: 1_000_000 },
  ])('with %j, which a body may not set, is refused', async (field) => {
    const slug = `mass-${unique()}`;
    const body = { slug, displayName: 'Mass', ...field };
    const answer = await fixture.call('POST', '/api/workspaces', { key: tenant.key, body });
    expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    expect(await fixture.database.query('SELECT FROM tenancy.workspaces WHERE slug = $1', [slug])).toEqual([]);
  });

  it('is not read without a credential', async () => {
    const answer = await fixture.call('PATCH', '/api/organization', { body: '{"name":' });
    expect(answer).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
  });

  it('in an Idempotency-Key gets 400 INVALID_REQUEST', async () => {
    for (const key of ['', ' ', 'x'.repeat(256), 'é']) {
      const answer = await fixture.call('PATCH', '/api/organization', {
        key: tenant.key,
        body: {},
        headers: { 'idempotency-key': key },
      });
      expect(answer).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } });
    }
  });
});
