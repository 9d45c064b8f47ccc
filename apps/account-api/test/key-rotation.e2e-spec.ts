import { newId } from '@heliograph/database';
import { startTestService, tapEvents, unique, until, type TestService } from '@heliograph/testing';
import { accountApi } from '../src/account-api.service';
import type { KeyRecord, NewKey, OneKey } from '../src/developer/api-keys/api-keys.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const KEYS = '/api/organization/api-keys';

describe('an API key on all instances of the service', () => {
  let fixture: AccountFixture;
  let elsewhere: TestService;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    elsewhere = await startTestService(accountApi, fixture.database.url, { ACCOUNT_RATE_PER_MINUTE: '0' });
    tenant = await fixture.tenant();
  });
  afterAll(() => elsewhere.stop());

  const made = async (fields: object = {}): Promise<NewKey> => {
    const body = { name: `key-${unique()}`, ...fields };
    return (await fixture.call<NewKey>('POST', KEYS, { key: tenant.key, body })).data;
  };
  const rotate = (id: string, body: object) =>
    fixture.call<NewKey>('POST', `${KEYS}/${id}/rotate`, { key: tenant.key, body });
  const revoke = (id: string) => fixture.call<OneKey>('DELETE', `${KEYS}/${id}`, { key: tenant.key });
  const one = async (id: string): Promise<KeyRecord> =>
    (await fixture.call<OneKey>('GET', `${KEYS}/${id}`, { key: tenant.key })).data.apiKey;
  /** Returns the status of a call with the key on both instances. */
  const uses = (key: string): Promise<number[]> =>
    Promise.all(
      [fixture.service.url, elsewhere.url].map(
        async (url) => (await fetch(`${url}/api/workspaces`, { headers: { authorization: `Bearer ${key}` } })).status,
      ),
    );
  const diesEverywhere = (key: string, timeoutMs: number) =>
    until('the key is rejected by all instances', async () => (await uses(key)).every((status) => status === 401), {
      timeoutMs,
    });

  it('works with both secrets during the overlap of a rotation, and then with the new one only', async () => {
    const { apiKey, key: old } = await made();
    expect(await uses(old)).toEqual([200, 200]);
    const { status, data } = await rotate(apiKey.id, { overlapSeconds: 3 });
    expect(status).toBe(200);
    expect(data.key).not.toBe(old);
    expect(data.apiKey).toEqual({
      ...apiKey,
      lastFour: data.key.slice(-4),
      previousSecretExpiresAt: data.apiKey.previousSecretExpiresAt,
      lastUsedAt: data.apiKey.lastUsedAt,
    });
    expect([await uses(old), await uses(data.key)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await until('the overlap has ended', async () => (await uses(old)).every((known) => known === 401));
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(data.apiKey.previousSecretExpiresAt!));
    expect(await uses(data.key)).toEqual([200, 200]);
    expect((await one(apiKey.id)).previousSecretExpiresAt).toBeNull();
  });

  it.each([{}, { overlapSeconds: 0 }])(
    'rejects the previous secret immediately for a rotation with %j',
    async (body) => {
      const { apiKey, key: old } = await made();
      expect(await uses(old)).toEqual([200, 200]);
      const { data } = await rotate(apiKey.id, body);
      expect(data.apiKey.previousSecretExpiresAt).toBeNull();
      await diesEverywhere(old, 2_000);
      expect(await uses(data.key)).toEqual([200, 200]);
    },
  );

  it('does not work with the previous secret after the key expires, even during the overlap', async () => {
    const expiresAt = new Date(Date.now() + 2_000);
    const { apiKey, key: old } = await made({ expiresAt: expiresAt.toISOString() });
    await rotate(apiKey.id, { overlapSeconds: 3_600 });
    await diesEverywhere(old, 10_000);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it('works with the last two secrets after two rotations', async () => {
    const { apiKey, key: first } = await made();
    const { key: second } = (await rotate(apiKey.id, { overlapSeconds: 3_600 })).data;
    const { key: third } = (await rotate(apiKey.id, { overlapSeconds: 3_600 })).data;
    await diesEverywhere(first, 2_000);
    expect([await uses(second), await uses(third)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
  });

  it.each([-1, 1.5, '60', null, 30 * 24 * 3_600 + 1, 1e300])(
    'cannot be rotated with an overlap of %j',
    async (overlap) => {
      const { apiKey } = await made();
      const { status, error } = await rotate(apiKey.id, { overlapSeconds: overlap });
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(await one(apiKey.id)).toEqual(apiKey);
    },
  );

  it('is rejected everywhere within two seconds of its revocation, with both secrets', async () => {
    const { apiKey, key: old } = await made();
    const { key } = (await rotate(apiKey.id, { overlapSeconds: 3_600 })).data;
    expect([await uses(old), await uses(key)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    const { status, data } = await revoke(apiKey.id);
    expect([status, typeof data.apiKey.revokedAt]).toEqual([200, 'string']);
    await diesEverywhere(key, 2_000);
    expect(await uses(old)).toEqual([401, 401]);
  });

  it('publishes one event when it is revoked', async () => {
    const tap = await tapEvents(fixture.service.amqpPrefix);
    const otherTap = await tapEvents(elsewhere.amqpPrefix);
    try {
      const { apiKey } = await made();
      const headers = { 'x-request-id': `revoked-${unique()}` };
      const first = await fixture.call<OneKey>('DELETE', `${KEYS}/${apiKey.id}`, { key: tenant.key, headers });
      const again = await revoke(apiKey.id);
      expect(again.data).toEqual(first.data);
      // A relay does not preserve the order, so the test waits for the event of another key and an empty outbox.
      await revoke((await made()).apiKey.id);
      const revocations = () => [...tap.events, ...otherTap.events].filter(({ type }) => type === 'apikey.revoked');
      await until('both events are published', () => revocations().length >= 2);
      await until(
        'the outbox is empty',
        async () => (await fixture.database.query('SELECT FROM messaging.outbox')).length === 0,
      );
      const events = revocations().filter(({ data }) => (data as { keyId: string }).keyId === apiKey.id);
      expect(events).toEqual([
        expect.objectContaining({
          organizationId: tenant.organizationId,
          workspaceId: null,
          correlationId: headers['x-request-id'],
          data: { keyId: apiKey.id, name: apiKey.name, lastFour: apiKey.lastFour },
        }),
      ]);
    } finally {
      await tap.close();
      await otherTap.close();
    }
  });

  it('has one audit entry for repeated revocations', async () => {
    const { apiKey } = await made();
    await Promise.all([revoke(apiKey.id), revoke(apiKey.id), revoke(apiKey.id)]);
    const path = `/api/organization/audit-log?action=apikey.revoked&targetId=${apiKey.id}`;
    const { data } = await fixture.call<{ entries: object[] }>('GET', path, { key: tenant.key });
    expect(data.entries).toEqual([expect.objectContaining({ before: { revokedAt: null } })]);
  });

  it('cannot be updated or rotated after it was revoked', async () => {
    const { apiKey } = await made();
    await revoke(apiKey.id);
    const conflict = { status: 409, error: { code: 'STATE_CONFLICT' } };
    expect(await rotate(apiKey.id, {})).toMatchObject(conflict);
    const change = { key: tenant.key, body: { expiresAt: null } };
    expect(await fixture.call('PATCH', `${KEYS}/${apiKey.id}`, change)).toMatchObject(conflict);
  });

  it('gets NOT_FOUND for an unknown id', async () => {
    for (const id of [newId(), 'x']) expect((await rotate(id, {})).status).toBe(404);
  });
});
