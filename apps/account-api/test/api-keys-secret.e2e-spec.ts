import { startTestService, unique, type TestService } from '@heliograph/testing';
import { accountApi } from '../src/account-api.service';
import type { NewKey } from '../src/developer/api-keys/api-keys.dto';
import { AccountFixture, OPERATOR_TOKEN, type Tenant } from './account-fixture';

const KEYS = '/api/organization/api-keys';

describe('the secret of a key', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const create = (body: object, idempotencyKey: string, key = tenant.key) =>
    fixture.call<NewKey>('POST', KEYS, { key, body, headers: { 'Idempotency-Key': idempotencyKey } });
  const rowsOf = (name: string) =>
    fixture.database.query<{ id: string }>('SELECT id FROM auth.api_keys WHERE name = $1', [name]);

  it('appears in no later response, no audit entry and no database row', async () => {
    const idempotencyKey = `idem-${unique()}`;
    const { data: first } = await create({ name: `key-${unique()}` }, idempotencyKey);
    const rotate = {
      key: tenant.key,
      body: { overlapSeconds: 60 },
      headers: { 'Idempotency-Key': `${idempotencyKey}2` },
    };
    const { data: second } = await fixture.call<NewKey>('POST', `${KEYS}/${first.apiKey.id}/rotate`, rotate);
    const operators = {
      operator: true,
      body: { name: `key-${unique()}` },
      headers: { 'Idempotency-Key': idempotencyKey },
    };
    const { data: third } = await fixture.call<NewKey>('POST', '/api/platform/api-keys', operators);
    const secrets = [first.key, second.key, third.key];
    expect(new Set(secrets).size).toBe(3);

    const answers = [
      await fixture.call('GET', KEYS, { key: tenant.key }),
      await fixture.call('GET', `${KEYS}/${first.apiKey.id}`, { key: tenant.key }),
      await fixture.call('PATCH', `${KEYS}/${first.apiKey.id}`, { key: tenant.key, body: { role: 'viewer' } }),
      await fixture.call('GET', '/api/organization/audit-log', { key: tenant.key }),
      await fixture.call('DELETE', `${KEYS}/${first.apiKey.id}`, { key: tenant.key }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      for (const secret of secrets) expect(JSON.stringify(answer.data)).not.toContain(secret);
    }
    // Neither the secret nor the Idempotency-Key that decrypts a stored response is in the database.
    for (const secret of [...secrets.map((key) => key.split('_').at(-1)!), idempotencyKey]) {
      expect(await tablesWith(secret)).toEqual([]);
    }
    expect(await tablesWith(first.apiKey.id)).toEqual(expect.arrayContaining(['auth.api_keys', 'audit.entries']));
  });

  it('is replayed for the same Idempotency-Key, request and caller only', async () => {
    const name = `key-${unique()}`;
    const idempotencyKey = unique();
    const first = await create({ name, role: 'viewer' }, idempotencyKey);
    const again = await create({ role: 'viewer', name }, idempotencyKey);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
    expect(await rowsOf(name)).toHaveLength(1);

    expect(await create({ name: `${name}2`, role: 'viewer' }, idempotencyKey)).toMatchObject({
      status: 409,
      error: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const another = await fixture.factory.key(tenant.organizationId);
    expect(await create({ name, role: 'viewer' }, idempotencyKey, another)).toMatchObject({
      status: 409,
      error: { code: 'NAME_TAKEN' },
    });
  });

  it('is replayed for a rotation, which happens only once', async () => {
    const { data } = await create({ name: `key-${unique()}` }, unique());
    const rotate = () =>
      fixture.call<NewKey>('POST', `${KEYS}/${data.apiKey.id}/rotate`, {
        key: tenant.key,
        body: {},
        headers: { 'Idempotency-Key': `rotate-${data.apiKey.id}` },
      });
    const first = await rotate();
    const again = await rotate();
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await fixture.call('GET', '/api/workspaces', { key: again.data.key })).status).toBe(200);
  });

  it('is created once for two concurrent requests', async () => {
    const other: TestService = await startTestService(accountApi, fixture.database.url, {
      ACCOUNT_RATE_PER_MINUTE: '0',
      PLATFORM_OPERATOR_TOKEN: OPERATOR_TOKEN,
    });
    try {
      for (let round = 0; round < 5; round++) {
        const name = `key-${unique()}`;
        const idempotencyKey = unique();
        const answers = await Promise.all(
          [fixture.service.url, fixture.service.url, other.url, other.url].map(async (url) => {
            const response = await fetch(`${url}${KEYS}`, {
              method: 'POST',
              headers: {
                authorization: `Bearer ${tenant.key}`,
                'content-type': 'application/json',
                'idempotency-key': idempotencyKey,
              },
              body: JSON.stringify({ name }),
            });
            const { data, error } = (await response.json()) as { data?: NewKey; error?: { code: string } };
            return response.status === 201 ? data!.key : error!.code;
          }),
        );
        const secrets = new Set(answers.filter((answer) => answer !== 'IDEMPOTENCY_IN_PROGRESS'));
        expect([...secrets]).toEqual([expect.stringMatching(/^msg_live_/)]);
        expect(await rowsOf(name)).toHaveLength(1);
      }
    } finally {
      await other.stop();
    }
  });

  async function tablesWith(text: string): Promise<string[]> {
    const tables = await fixture.database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'testing')`,
    );
    const found = [];
    for (const { name } of tables) {
      const rows = await fixture.database.query(`SELECT 1 FROM ${name} AS t WHERE strpos(t::text, $1) > 0`, [text]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }
});
