import { until } from '@heliograph/testing';
import { AccountFixture, type Credentials, type Tenant } from './account-fixture';

const HERE = '127.0.0.1';

describe('/api/organization/ip-allowlist', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.sharedBehindProxy();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const path = '/api/organization/ip-allowlist';
  const look = (by: Credentials) => fixture.call<{ entries: string[] }>('GET', path, by);
  const replace = (by: Credentials, body: unknown) => fixture.call<{ entries: string[] }>('PUT', path, { ...by, body });
  const from = (address: string) =>
    fixture.call('GET', '/api/organization', { key: tenant.key, headers: { 'x-forwarded-for': address } });

  it('is empty by default and allows keys from every address', async () => {
    expect((await look({ key: tenant.key })).data).toEqual({ entries: [] });
    expect((await from('198.51.100.1')).status).toBe(200);
  });

  it('is stored normalized, in the given order and without duplicates', async () => {
    const entries = [
      ' 203.0.113.0/24 ',
      '2001:DB8::0:1',
      HERE,
      '203.0.113.0/24',
      `${HERE}/32`,
      '2001:db8::1/128',
      '::ffff:198.51.100.7',
    ];
    const answer = await replace({ key: tenant.key }, { entries });
    expect(answer).toMatchObject({ status: 200, ok: true });
    expect(answer.data).toEqual({ entries: ['203.0.113.0/24', '2001:db8::1', HERE, '198.51.100.7'] });
    expect((await look({ key: tenant.key })).data).toEqual(answer.data);
  });

  it('takes effect within two seconds for keys but not for sessions, and is disabled by an empty list', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    expect((await from('198.51.100.1')).status).toBe(200);
    await replace({ cookie }, { entries: ['203.0.113.0/24', HERE] });
    const refused = await until(
      'the allow-list is effective',
      async () => {
        const answer = await from('198.51.100.1');
        return answer.status === 403 && answer;
      },
      { timeoutMs: 2_000 },
    );
    expect(refused.error.code).toBe('IP_NOT_ALLOWED');
    expect((await from('203.0.113.77')).status).toBe(200);
    expect((await look({ cookie })).status).toBe(200);
    await replace({ cookie }, { entries: [] });
    await until('the allow-list is disabled', async () => (await from('198.51.100.1')).status === 200, {
      timeoutMs: 2_000,
    });
  });

  it('is rejected if it would lock out the caller and force is not set', async () => {
    const body = { entries: ['203.0.113.0/24'] };
    for (const by of [{ key: tenant.key }, { cookie: await fixture.login(tenant.owner.email) }]) {
      const answer = await replace(by, body);
      expect(answer).toMatchObject({ status: 409, ok: false, error: { code: 'WOULD_LOCK_YOU_OUT' } });
      expect(answer.error.message).toContain(HERE);
      expect((await replace(by, { ...body, force: false })).status).toBe(409);
    }
    expect((await look({ key: tenant.key })).data).toEqual({ entries: [] });
    expect((await replace({ key: tenant.key }, { ...body, force: true })).data).toEqual(body);
    const elsewhere = await fixture.call('GET', path, {
      key: tenant.key,
      headers: { 'x-forwarded-for': '203.0.113.5' },
    });
    expect(elsewhere.data).toEqual(body);
  });

  it('is audited with the previous and the new entries', async () => {
    await replace({ key: tenant.key }, { entries: [HERE] });
    const entries = await fixture.database.query(
      `SELECT before, after FROM audit.entries WHERE organization_id = $1 AND action = 'allowlist.replaced'`,
      [tenant.organizationId],
    );
    expect(entries).toEqual([{ before: { entries: [] }, after: { entries: [HERE] } }]);
  });

  it.each([
    ['a missing list', {}, 'entries'],
    ['text', { entries: HERE }, 'entries'],
    ['null', { entries: null }, 'entries'],
    ['a number', { entries: [1] }, 'entries'],
    ['a name', { entries: ['localhost'] }, 'entries'],
    ['a prefix that is too long', { entries: ['10.0.0.0/33'] }, 'entries'],
    ['an empty prefix', { entries: ['10.0.0.0/'] }, 'entries'],
    ['a negative prefix', { entries: ['10.0.0.0/-1'] }, 'entries'],
    ['an incomplete address', { entries: ['10.0.0'] }, 'entries'],
    ['an octal address', { entries: ['010.0.0.1'] }, 'entries'],
    ['an address with a zone', { entries: ['fe80::1%eth0'] }, 'entries'],
    ['an address with NUL', { entries: [`${HERE}\0`] }, 'entries'],
    ['501 entries', { entries: Array.from({ length: 501 }, (_, i) => `10.0.${i >> 8}.${i & 255}`) }, 'entries'],
    ['text as the value of force', { entries: [], force: 'true' }, 'force'],
  ])('rejects %s with 422', async (_what, body, field) => {
    const answer = await replace({ key: tenant.key }, body);
    expect(answer).toMatchObject({ status: 422, ok: false, error: { code: 'VALIDATION_ERROR' } });
    expect(answer.error.message).toMatch(new RegExp(`^${field}: `));
    expect((await look({ key: tenant.key })).data).toEqual({ entries: [] });
  });

  it('accepts 500 entries', async () => {
    const entries = [HERE, ...Array.from({ length: 499 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)];
    expect((await replace({ key: tenant.key }, { entries })).data.entries).toEqual(entries);
  });
});
