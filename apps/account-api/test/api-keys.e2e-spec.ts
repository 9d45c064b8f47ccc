import { ROLES } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { unique, until } from '@heliograph/testing';
import type { KeyList, KeyRecord, NewKey, OneKey } from '../src/developer/api-keys/api-keys.dto';
import { AccountFixture, type Credentials, type Tenant } from './account-fixture';

const KEYS = '/api/organization/api-keys';
const later = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('an API key', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let admin: string;
  beforeAll(async () => {
    fixture = await (await AccountFixture.shared()).beside({ KEY_PREFIX: 'acme' });
    tenant = await fixture.tenant();
    admin = await fixture.login((await fixture.user(tenant.organizationId, 'admin')).email);
  });
  afterAll(() => fixture.service.stop());

  const create = (body: object, as: Credentials = { key: tenant.key }) =>
    fixture.call<NewKey>('POST', KEYS, { ...as, body: { name: `key-${unique()}`, ...body } });
  const made = async (body: object = {}): Promise<NewKey> => {
    const { status, data, error } = await create(body);
    expect([status, error]).toEqual([201, undefined]);
    return data;
  };
  const one = async (id: string): Promise<KeyRecord> =>
    (await fixture.call<OneKey>('GET', `${KEYS}/${id}`, { key: tenant.key })).data.apiKey;
  const use = async (key: string) => (await fixture.call('GET', '/api/workspaces', { key })).status;
  const change = (id: string, body: object, as: Credentials = { key: tenant.key }) =>
    fixture.call<OneKey>('PATCH', `${KEYS}/${id}`, { ...as, body });

  it('is created from a name only, with the role member, no scopes, no workspace and no expiry', async () => {
    const name = `key-${unique()}`;
    const { apiKey, key } = await made({ name });
    expect(key).toMatch(/^acme_live_[0-9A-Za-z]{32,}$/);
    expect(apiKey).toEqual({
      id: apiKey.id,
      name,
      lastFour: key.slice(-4),
      scopes: [],
      role: 'member',
      mode: 'live',
      workspaceId: null,
      expiresAt: null,
      revokedAt: null,
      previousSecretExpiresAt: null,
      createdAt: apiKey.createdAt,
      lastUsedAt: null,
    });
    expect(Math.abs(Date.now() - Date.parse(apiKey.createdAt))).toBeLessThan(10_000);
    expect(await one(apiKey.id)).toEqual(apiKey);
    expect(await use(key)).toBe(200);
  });

  it('is created with scopes, a role, a workspace and an expiry', async () => {
    const request = {
      scopes: ['sms:send'],
      role: 'viewer',
      workspaceId: tenant.workspace.id,
      expiresAt: later(60_000),
    };
    expect((await made(request)).apiKey).toMatchObject(request);
  });

  it('gets a unique secret', async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, async () => (await made()).key));
    expect(new Set(secrets).size).toBe(5);
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 'two\nlines' }],
    ['name', { name: 7 }],
    ['name', { name: null }],
    ['scopes', { scopes: ['sms:everything'] }],
    ['scopes', { scopes: 'sms:send' }],
    ['scopes', { scopes: [['sms:send']] }],
    ['scopes', { scopes: null }],
    ['role', { role: 'king' }],
    ['role', { role: null }],
    ['workspaceId', { workspaceId: newId() }],
    ['workspaceId', { workspaceId: 'mine' }],
    ['expiresAt', { expiresAt: new Date(Date.now() - 1_000).toISOString() }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['expiresAt', { expiresAt: 4_102_444_800 }],
    ['expiresAt', { expiresAt: '2099-02-30T00:00:00Z' }],
    ['expiresAt', { expiresAt: '2099-01-01T24:00:00Z' }],
  ])('is rejected with a message about %s: %j', async (field, body) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
  });

  it('is rejected with a message about every invalid field', async () => {
    const { error } = await create({ name: '', role: 'king', expiresAt: 'never' });
    for (const field of ['name: ', 'role: ', 'expiresAt: ']) expect(error.message).toContain(field);
  });

  it.each([{ organizationId: newId() }, { id: newId() }, { lastFour: 'abcd' }, { revokedAt: later(0) }])(
    'is not created with the field %j, which the caller may not set',
    async (field) => {
      const refused = await create({ name: unique(), ...field });
      expect(refused).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    },
  );

  it('is not created without its expiry because of a misspelled field', async () => {
    const refused = await create({ name: unique(), expires_at: later(60_000) });
    expect(refused).toMatchObject({
      status: 422,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'expires_at is not a field of this call. Did you mean expiresAt?',
      },
    });
  });

  it('has a name that is unique in the organization, revoked keys included', async () => {
    const { apiKey } = await made();
    const taken = { status: 409, error: { code: 'NAME_TAKEN' } };
    expect(await create({ name: apiKey.name })).toMatchObject(taken);
    expect(await change((await made()).apiKey.id, { name: apiKey.name })).toMatchObject(taken);
    await fixture.call('DELETE', `${KEYS}/${apiKey.id}`, { key: tenant.key });
    expect(await create({ name: apiKey.name })).toMatchObject(taken);
    const other = await fixture.tenant();
    expect((await create({ name: apiKey.name }, { key: other.key })).status).toBe(201);
  });

  it('cannot have a higher role than the caller who creates or updates it', async () => {
    const forbidden = { status: 403, error: { code: 'FORBIDDEN' } };
    expect(await create({ role: 'owner' }, { cookie: admin })).toMatchObject(forbidden);
    for (const role of ROLES.filter((known) => known !== 'owner')) {
      expect((await create({ role }, { cookie: admin })).status).toBe(201);
    }
    const { apiKey } = await made({ role: 'owner' });
    const mine = await made({ role: 'admin' });
    expect(await change(mine.apiKey.id, { role: 'owner' }, { cookie: admin })).toMatchObject(forbidden);
    expect(await change(apiKey.id, { role: 'viewer' }, { cookie: admin })).toMatchObject(forbidden);
    const rotation = await fixture.call('POST', `${KEYS}/${apiKey.id}/rotate`, { cookie: admin, body: {} });
    expect(rotation).toMatchObject(forbidden);
    expect(await one(apiKey.id)).toEqual(apiKey);
  });

  it('is updated only in the given fields', async () => {
    const { apiKey, key } = await made({ scopes: ['sms:read'], expiresAt: later(60_000) });
    const name = `new-${unique()}`;
    expect((await change(apiKey.id, { name })).data.apiKey).toEqual({ ...apiKey, name });
    const opened = await change(apiKey.id, { scopes: [], expiresAt: null, role: 'viewer' });
    expect(opened.data.apiKey).toEqual({ ...apiKey, name, scopes: [], expiresAt: null, role: 'viewer' });
    expect(await one(apiKey.id)).toEqual(opened.data.apiKey);
    await until('the key works without scopes', async () => (await use(key)) === 200);
    for (const field of [{ workspaceId: tenant.workspace.id }, { revokedAt: null }, { lastFour: 'xxxx' }]) {
      expect(await change(apiKey.id, field)).toMatchObject({ status: 422 });
    }
    // The use is stored some seconds later.
    const unchanged = await one(apiKey.id);
    expect(unchanged).toEqual({ ...opened.data.apiKey, lastUsedAt: unchanged.lastUsedAt });
    expect(await change(apiKey.id, { expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 422 });
  });

  it('can expire at a leap second, which is the following second', async () => {
    const { apiKey } = await made({ expiresAt: '2099-12-31T23:59:60Z' });
    expect(apiKey.expiresAt).toBe('2100-01-01T00:00:00.000Z');
    const { data } = await change(apiKey.id, { expiresAt: '2099-07-01T05:29:60+05:30' });
    expect(data.apiKey.expiresAt).toBe('2099-07-01T00:00:00.000Z');
  });

  it('stops working when it expires', async () => {
    const { apiKey, key } = await made({ expiresAt: later(1_500) });
    expect(await use(key)).toBe(200);
    await until('the key is rejected', async () => (await use(key)) === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse((await one(apiKey.id)).expiresAt!));
  });

  it('shows its last use after a few seconds', async () => {
    const { apiKey, key } = await made();
    const before = Date.now();
    expect(await use(key)).toBe(200);
    const { lastUsedAt } = await until('the last use is shown', async () => {
      const { data } = await fixture.call<KeyList>('GET', `${KEYS}?limit=100`, { key: tenant.key });
      return data.apiKeys.find(({ id, lastUsedAt }) => id === apiKey.id && lastUsedAt !== null);
    });
    expect(Date.parse(lastUsedAt!)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(lastUsedAt!)).toBeLessThanOrEqual(Date.now());
    expect((await one(apiKey.id)).lastUsedAt).toBe(lastUsedAt);
    expect((await change(apiKey.id, { role: 'viewer' })).data.apiKey.lastUsedAt).toBe(lastUsedAt);
  });

  it('is listed newest first, together with revoked keys', async () => {
    const { apiKey: first } = await made();
    const { apiKey: second } = await made();
    await fixture.call('DELETE', `${KEYS}/${first.id}`, { key: tenant.key });
    const { data } = await fixture.call<KeyList>('GET', `${KEYS}?limit=2`, { key: tenant.key });
    expect(data.apiKeys.map(({ id, revokedAt }) => [id, revokedAt !== null])).toEqual([
      [second.id, false],
      [first.id, true],
    ]);
  });
});
