import { startTestService, unique, until } from '@heliograph/testing';
import { accountApi } from '../src/account-api.service';
import type { OneWorkspace } from '../src/identity/workspaces/workspaces.dto';
import { AccountFixture, type Credentials, type Tenant } from './account-fixture';

const WORKSPACES = '/api/workspaces';

describe('a write', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const create = (slug: string, idempotencyKey?: string, as: Credentials = { key: tenant.key }, displayName = 'x') =>
    fixture.call<OneWorkspace>('POST', WORKSPACES, {
      ...as,
      body: { slug, displayName },
      headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
    });
  const count = async (table: string, where: string, value: string) =>
    (await fixture.database.query(`SELECT FROM ${table} WHERE ${where} = $1`, [value])).length;

  describe('that fails', () => {
    afterEach(() => fixture.database.query('DROP FUNCTION IF EXISTS public.fail CASCADE'));

    /** Makes the last step of every write fail, so that all earlier steps must be rolled back. */
    const letFail = async (event: string, table: string, when = 'true') => {
      await fixture.database.query(
        `CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'made to fail'; END $$`,
      );
      await fixture.database.query(
        `CREATE TRIGGER fail BEFORE ${event} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION public.fail()`,
      );
    };

    it.each([
      ['its stored response', 'UPDATE', 'idempotency.answers', 'true'],
      ['its audit entry', 'INSERT', 'audit.entries', 'true'],
      ['its event', 'INSERT', 'messaging.outbox', `NEW.type = 'workspace.created'`],
    ])('at the step of %s has no effect and can be retried', async (_, event, table, when) => {
      const slug = `ws-${unique()}`;
      const idempotencyKey = unique();
      await letFail(event, table, when);
      const failed = await create(slug, idempotencyKey);
      expect(failed).toMatchObject({ status: 500, ok: false, error: { code: 'INTERNAL_ERROR' } });
      expect(failed.error.message).not.toContain('made to fail');
      expect(await count('tenancy.workspaces', 'slug', slug)).toBe(0);
      expect(await count('audit.entries', 'organization_id', tenant.organizationId)).toBe(0);
      expect(await count('idempotency.answers', 'key', idempotencyKey)).toBe(0);
      expect(await count('messaging.outbox', `payload->'data'->>'slug'`, slug)).toBe(0);

      await fixture.database.query('DROP FUNCTION public.fail CASCADE');
      const again = await create(slug, idempotencyKey);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
      expect(await count('audit.entries', 'organization_id', tenant.organizationId)).toBe(1);
    });

    it('because of a taken name stores no audit entry, no event and no response', async () => {
      const idempotencyKey = unique();
      const taken = await create(tenant.workspace.slug, idempotencyKey);
      expect(taken).toMatchObject({ status: 409, error: { code: 'SLUG_TAKEN' } });
      expect(await count('audit.entries', 'organization_id', tenant.organizationId)).toBe(0);
      expect(await count('idempotency.answers', 'key', idempotencyKey)).toBe(0);
      // The repeated request succeeds when the name becomes available.
      await fixture.call('PATCH', `${WORKSPACES}/${tenant.workspace.id}`, {
        key: tenant.key,
        body: { slug: `ws-${unique()}` },
      });
      expect((await create(tenant.workspace.slug, idempotencyKey)).status).toBe(201);
    });
  });

  it('is audited with its changes, its actor and its origin', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    const headers = { 'x-request-id': `change-${unique()}`, 'user-agent': 'a browser' };
    const { id, displayName } = tenant.workspace;
    const body = { displayName: 'New name', slug: tenant.workspace.slug };
    await fixture.call('PATCH', `${WORKSPACES}/${id}`, { cookie, body, headers });
    const { data } = await fixture.call<{ entries: object[] }>('GET', '/api/organization/audit-log', { cookie });
    const [entry] = data.entries as [{ id: string; at: string }];
    expect(data.entries).toEqual([
      {
        id: entry.id,
        at: entry.at,
        action: 'workspace.changed',
        target: { type: 'workspace', id },
        workspaceId: id,
        before: { displayName },
        after: { displayName: 'New name' },
        ipAddress: '127.0.0.1',
        userAgent: 'a browser',
        requestId: headers['x-request-id'],
        actor: { kind: 'user', id: tenant.owner.id, name: tenant.owner.email },
      },
    ]);
  });

  describe('with an Idempotency-Key', () => {
    it('is executed once, and its response is replayed', async () => {
      const slug = `ws-${unique()}`;
      const key = unique();
      const first = await create(slug, key);
      const again = await create(slug, `"${key}"`);
      expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
        null,
        'true',
      ]);
      expect([again.status, again.data]).toEqual([201, first.data]);
      expect(await count('audit.entries', 'organization_id', tenant.organizationId)).toBe(1);
    });

    it('is rejected for a different request with the same key', async () => {
      const slug = `ws-${unique()}`;
      const key = unique();
      await create(slug, key);
      const reused = { status: 409, error: { code: 'IDEMPOTENCY_KEY_REUSED' } };
      expect(await create(slug, key, { key: tenant.key }, 'another')).toMatchObject(reused);
      expect(await create(`${slug}x`, key)).toMatchObject(reused);
    });

    it('is independent of writes of other callers and on other paths', async () => {
      const key = unique();
      const other = await fixture.tenant();
      const cookie = await fixture.login(tenant.owner.email);
      const callers = [{ key: tenant.key }, { key: other.key }, { cookie }];
      for (const as of callers) {
        const { status, headers } = await create(`ws-${unique()}`, key, as);
        expect([status, headers.get('idempotent-replayed')]).toEqual([201, null]);
      }
      const body = { displayName: 'x' };
      for (const { id } of [tenant.workspace, await fixture.factory.workspace(tenant.organizationId)]) {
        const change = { key: tenant.key, body, headers: { 'Idempotency-Key': key } };
        const { status, headers } = await fixture.call('PATCH', `${WORKSPACES}/${id}`, change);
        expect([status, headers.get('idempotent-replayed')]).toEqual([200, null]);
      }
    });

    it.each(['', ' ', '""', 'x'.repeat(256), 'ünï'])('is rejected when the key is %j', async (key) => {
      const { status, error } = await create(`ws-${unique()}`, key);
      expect([status, error.code]).toEqual([400, 'INVALID_REQUEST']);
    });

    it('is rejected while the first request is running, on the same and on another instance', async () => {
      const other = await startTestService(accountApi, fixture.database.url, { ACCOUNT_RATE_PER_MINUTE: '0' });
      try {
        const slug = `ws-${unique()}`;
        const key = unique();
        let first: Promise<{ status: number; data: OneWorkspace }> | undefined;
        let elsewhere: Promise<Response> | undefined;
        await fixture.factory.dataSource.transaction(async (transaction) => {
          await transaction.query('LOCK TABLE tenancy.workspaces IN SHARE MODE');
          first = create(slug, key);
          await until('the first request is in progress', async () => {
            const waiting = await fixture.database.query(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            );
            return waiting.length > 0;
          });
          const second = await create(slug, key);
          expect(second).toMatchObject({ status: 409, error: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
          expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
          elsewhere = fetch(`${other.url}${WORKSPACES}`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${tenant.key}`,
              'content-type': 'application/json',
              'idempotency-key': key,
            },
            body: JSON.stringify({ slug, displayName: 'x' }),
          });
        });
        const made = await first!;
        expect(made.status).toBe(201);
        const answer = await elsewhere!;
        expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
        expect(((await answer.json()) as { data: OneWorkspace }).data).toEqual(made.data);
      } finally {
        await other.stop();
      }
    });

    it('replays a permanent error', async () => {
      const key = unique();
      const body = { header: 'ACME', onboardingId: 'nobodys' };
      const call = { key: tenant.key, body, headers: { 'Idempotency-Key': key } };
      const refuse = () => fixture.call('POST', '/api/organization/sms/senders', call);
      const first = await refuse();
      const again = await refuse();
      expect([first.status, again.status, again.error]).toEqual([404, 404, first.error]);
      expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
        null,
        'true',
      ]);
    });

    it('is executed again after one day', async () => {
      const slug = `ws-${unique()}`;
      const key = unique();
      await create(slug, key);
      const [row] = await fixture.database.query<{ hours: number }>(
        `SELECT extract(epoch FROM expires_at - now()) / 3600 AS hours FROM idempotency.answers WHERE key = $1`,
        [key],
      );
      expect(Number(row!.hours)).toBeCloseTo(24, 1);
      await fixture.database.query(
        `UPDATE idempotency.answers SET expires_at = now() - interval '1 second' WHERE key = $1`,
        [key],
      );
      const again = await create(`${slug}-2`, key);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    });
  });
});
