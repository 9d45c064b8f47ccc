import { newId } from '@heliograph/database';
import { tapEvents, unique, until } from '@heliograph/testing';
import type { EntryList } from '../src/money/credits/credits.dto';
import type { OneGrant } from '../src/operator/operator.dto';
import { AccountFixture, type Tenant } from './account-fixture';

describe('a grant of credits by the operator', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const grant = (body: object, { id } = tenant.workspace, headers: Record<string, string> = {}) =>
    fixture.call<OneGrant>('POST', `/api/platform/workspaces/${id}/credits`, {
      operator: true,
      headers,
      body: { creditType: 'sms', amount: 100, ...body },
    });
  const ledger = async ({ workspace, key } = tenant) => {
    const path = `/api/workspaces/${workspace.id}/credits/ledger`;
    const { data } = await fixture.call<EntryList>('GET', path, { key });
    return data.entries.map(({ kind, amount, balanceAfter }) => [kind, amount, balanceAfter]);
  };
  const audit = async () => {
    const path = `/api/organization/audit-log?targetId=${tenant.workspace.id}`;
    const { data } = await fixture.call<{ entries: { action: string; after: object; actor: object }[] }>('GET', path, {
      key: tenant.key,
    });
    return data.entries;
  };

  it('tops up a workspace, with the actor and the reason in the audit log', async () => {
    const { status, data } = await grant({ note: 'Paid by bank transfer' });
    const { reference } = data.grant;
    expect(status).toBe(201);
    expect(data.grant).toEqual({
      workspaceId: tenant.workspace.id,
      creditType: 'sms',
      amount: 100,
      reference,
      balance: 100,
      repeated: false,
    });
    expect(await ledger()).toEqual([['topup', 100, 100]]);
    expect(await audit()).toEqual([
      expect.objectContaining({
        action: 'credits.granted',
        actor: { kind: 'operator', id: null, name: 'platform operator' },
        after: { ...data.grant, note: 'Paid by bank transfer' },
      }),
    ]);
  });

  it('removes credits, at most the balance, if its amount is negative', async () => {
    await grant({ amount: 50 });
    expect((await grant({ amount: -20 })).data.grant).toMatchObject({ amount: -20, balance: 30 });
    expect(await grant({ amount: -31 })).toMatchObject({ status: 402, error: { code: 'INSUFFICIENT_CREDITS' } });
    expect(await grant({ creditType: 'email', amount: -1 })).toMatchObject({ status: 402 });
    expect((await grant({ amount: -30 })).data.grant.balance).toBe(0);
    expect(await ledger()).toEqual([
      ['adjustment', -30, 0],
      ['adjustment', -20, 30],
      ['topup', 50, 50],
    ]);
    expect((await audit()).map(({ action }) => action)).toEqual([
      'credits.adjusted',
      'credits.adjusted',
      'credits.granted',
    ]);
  });

  it('moves credits once per reference and workspace', async () => {
    const reference = `order-${unique()}`;
    const first = await grant({ reference });
    const again = await grant({ reference });
    expect(again.status).toBe(201);
    expect(again.data.grant).toEqual({ ...first.data.grant, repeated: true });
    await Promise.all(Array.from({ length: 5 }, () => grant({ reference })));
    for (const another of [{ amount: 7 }, { amount: -100 }, { creditType: 'email' }]) {
      expect(await grant({ reference, ...another })).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
    }
    expect(await ledger()).toEqual([['topup', 100, 100]]);
    expect(await audit()).toHaveLength(1);
    const other = await fixture.tenant();
    expect((await grant({ reference }, other.workspace)).data.grant).toMatchObject({ balance: 100, repeated: false });
  });

  it('moves credits again if it has no reference, but once per Idempotency-Key', async () => {
    await grant({});
    await grant({});
    const headers = { 'Idempotency-Key': unique() };
    const first = await grant({}, tenant.workspace, headers);
    const again = await grant({}, tenant.workspace, headers);
    expect([again.headers.get('idempotent-replayed'), again.data]).toEqual(['true', first.data]);
    expect(await ledger()).toHaveLength(3);
  });

  it('publishes an event', async () => {
    const tap = await tapEvents(fixture.service.amqpPrefix);
    try {
      const requestId = `grant-${unique()}`;
      await grant({}, tenant.workspace, { 'x-request-id': requestId });
      await grant({ amount: -1 }, tenant.workspace, { 'x-request-id': requestId });
      const grantEvents = () => tap.events.filter(({ correlationId }) => correlationId === requestId);
      await until('both events are published', () => grantEvents().length === 2);
      const sides = grantEvents().map(({ type, workspaceId, data }) => [
        type,
        workspaceId,
        (data as { amount: number }).amount,
      ]);
      expect(sides.sort()).toEqual([
        ['credits.adjusted', tenant.workspace.id, -1],
        ['credits.topped_up', tenant.workspace.id, 100],
      ]);
    } finally {
      await tap.close();
    }
  });

  it('is possible in a locked workspace', async () => {
    await fixture.factory.workspace(tenant.organizationId, { slug: tenant.workspace.slug, status: 'locked' });
    expect((await grant({})).status).toBe(201);
  });

  it.each([
    ...[0, 1.5, '100', null, 1e308, 1_000_000_000_001, -1_000_000_000_001, true].map((amount) => [
      'amount',
      { amount },
    ]),
    ['creditType', { creditType: 'fax' }],
    ['creditType', { creditType: null }],
    ['reference', { reference: '' }],
    ['reference', { reference: 'x'.repeat(201) }],
    ['note', { note: 7 }],
  ] as [string, object][])('is rejected with a message about %s: %j', async (field, body) => {
    const { status, error } = await grant(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(new RegExp(`^${field}: `));
    expect(await ledger()).toEqual([]);
  });

  it('cannot raise a balance above its maximum', async () => {
    await fixture.database.query(
      `INSERT INTO credits.accounts (workspace_id, credit_type, balance) VALUES ($1, 'sms', 9000000000000000)`,
      [tenant.workspace.id],
    );
    expect(await grant({ amount: 1 })).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
  });

  it('requires an existing workspace', async () => {
    for (const id of [newId(), 'x']) expect((await grant({}, { id } as never)).status).toBe(404);
  });
});
