import { until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';

interface Erasure {
  id: string;
  kind: string;
  status: string;
  pending: string[];
  requestedAt: string;
  finishedAt: string | null;
}

describe('the erasure of a person', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const erase = (address: string, key = tenant.key) =>
    fixture.call<{ erasure: Erasure }>('POST', '/api/organization/erasures', { key, body: { address } });
  const progress = async (id: string) =>
    (await fixture.call<{ erasure: Erasure }>('GET', `/api/organization/erasures/${id}`, { key: tenant.key })).data
      .erasure;
  const audited = () =>
    fixture.database.query<{ action: string; target_id: string; before: unknown; after: unknown }>(
      'SELECT action, target_id, before, after FROM audit.entries WHERE organization_id = $1 ORDER BY id',
      [tenant.organizationId],
    );

  it('is audited without the address, and removes the address from earlier audit entries', async () => {
    const body = { address: 'Ann@example.com' };
    await fixture.call('POST', '/api/organization/email/suppressions', { key: tenant.key, body });
    await fixture.call('POST', '/api/organization/email/suppressions', {
      key: tenant.key,
      body: { address: 'bob@example.com' },
    });
    const { status, data } = await erase('ann@example.com');
    expect([status, data.erasure]).toEqual([
      202,
      {
        id: expect.any(String) as string,
        kind: 'email',
        status: 'running',
        pending: ['account-api', 'sms-api', 'email-api', 'chatapp-api', 'bot-runtime'],
        requestedAt: expect.any(String) as string,
        finishedAt: null,
      },
    ]);
    await until(
      'account-api has finished',
      async () => !(await progress(data.erasure.id)).pending.includes('account-api'),
    );
    const entries = await audited();
    expect(entries.at(-1)).toEqual({
      action: 'person.erased',
      target_id: data.erasure.id,
      before: null,
      after: { kind: 'email' },
    });
    expect(JSON.stringify(entries)).not.toMatch(/ann@example\.com/i);
    expect(JSON.stringify(entries)).toContain('bob@example.com');
    expect(entries.filter(({ action }) => action === 'email.suppression.created')).toHaveLength(2);
  });

  it.each(['', 'nobody', 'Ann <ann@example.com>', 'a@b@c', '09811'])('rejects %j with 422', async (address) => {
    expect(await erase(address)).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
  });

  it('is forbidden for members and viewers', async () => {
    for (const role of ['member', 'viewer'] as const) {
      const key = await fixture.factory.key(tenant.organizationId, { role });
      expect((await erase('ann@example.com', key)).status).toBe(403);
    }
  });
});
