import { newId } from '@heliograph/database';
import { AccountFixture, type Tenant } from './account-fixture';
import { CreditCalls } from './credit-calls';

describe('/api/v1/credits', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let credits: CreditCalls;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    credits = new CreditCalls(fixture, tenant);
  });

  const credit = (workspace = tenant.workspace, amount = 500) => fixture.factory.topUp(workspace, 'sms', amount);

  describe('balance and transactions', () => {
    it('cover one workspace or the organization', async () => {
      await credit();
      const second = await fixture.factory.workspace(tenant.organizationId, { credits: { sms: 7 } });
      expect(await credits.call('GET', '/balance')).toMatchObject({
        workspace_id: tenant.workspace.id,
        sms: 500,
        email: 0,
        chatapp: 0,
        chatapp_currency: 'INR',
      });
      expect(await credits.call('GET', `/balance?workspace_id=${second.id}`)).toMatchObject({ sms: 7 });
      const all = await credits.call('GET', '/transactions');
      expect(all.data.map(({ workspace_id: id, amount }) => [id, amount])).toEqual([
        [second.id, 7],
        [tenant.workspace.id, 500],
      ]);
      expect(all.data[0]).toMatchObject({
        credit_type: 'sms',
        kind: 'topup',
        balance_after: 7,
        description: 'Credits added',
      });
      const first = await credits.call('GET', '/transactions?limit=1');
      expect(first.data).toEqual([all.data[0]]);
      const next = await credits.call('GET', `/transactions?limit=1&cursor=${String(first['next_cursor'])}`);
      expect(next.data).toEqual([all.data[1]]);
      expect(next['next_cursor']).toBeUndefined();
    });

    it.each([
      ['kind=charge', 0],
      ['kind=topup', 1],
      ['credit_type=email', 0],
      ['from=2099-01-01T00:00:00Z', 0],
      ['until=2099-01-01T00:00:00Z', 1],
      ['from=2016-12-31T23:59:60Z', 1],
      ['reference=nothing', 0],
    ])('can be filtered by %s', async (filter, count) => {
      await credit();
      expect((await credits.call('GET', `/transactions?${filter}`)).data).toHaveLength(count);
    });

    it.each(['kind=x', 'credit_type=x', 'from=x', 'from=0000-01-01T00:00:00Z', 'until=1', 'limit=0', 'cursor=x'])(
      'reject the query %s',
      async (query) => {
        expect(await credits.call('GET', `/transactions?${query}`)).toMatchObject({ code: 'INVALID_REQUEST' });
      },
    );

    it('are not found for workspaces of other organizations, and cover the own workspace for a bound key', async () => {
      const other = await fixture.tenant();
      for (const path of ['/balance', '/transactions', '/purchases']) {
        expect(await credits.statusOf('GET', `${path}?workspace_id=${other.workspace.id}`)).toBe(404);
      }
      await credit();
      const second = await fixture.factory.workspace(tenant.organizationId, { credits: { sms: 7 } });
      const bound = await fixture.factory.key(tenant.organizationId, { workspaceId: second.id });
      expect(await credits.call('GET', '/balance', undefined, bound)).toMatchObject({
        workspace_id: second.id,
        sms: 7,
      });
      expect((await credits.call('GET', '/transactions', undefined, bound)).data).toHaveLength(1);
    });
  });

  describe('POST /transfer', () => {
    const transfer = (fields: Record<string, unknown>) =>
      credits.call('POST', '/transfer', {
        from_workspace_id: tenant.workspace.id,
        credit_type: 'sms',
        amount: 100,
        ...fields,
      });

    it('moves credits, and returns INSUFFICIENT_CREDITS if the amount exceeds the balance', async () => {
      await credit();
      const { id } = await fixture.factory.workspace(tenant.organizationId);
      expect(await transfer({ to_workspace_id: id })).toMatchObject({
        status: 201,
        amount: 100,
        from_balance: 400,
        to_balance: 100,
        to_workspace_id: id,
      });
      expect(await transfer({ to_workspace_id: id, amount: 401 })).toMatchObject({
        status: 402,
        code: 'INSUFFICIENT_CREDITS',
      });
    });

    it.each([
      [{ amount: -1 }, 'amount'],
      [{ amount: 1.5 }, 'amount'],
      [{ amount: '1' }, 'amount'],
      [{ amount: null }, 'amount'],
      [{ credit_type: 'x' }, 'credit_type'],
    ])('rejects %j', async (fields, field) => {
      const answer = await transfer({ to_workspace_id: newId(), ...fields });
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field }] });
    });

    it('is allowed only for workspaces of the organization and only for admins', async () => {
      const other = await fixture.tenant();
      expect(await transfer({ to_workspace_id: other.workspace.id })).toMatchObject({ status: 404 });
      expect(await transfer({ to_workspace_id: tenant.workspace.id })).toMatchObject({ status: 400 });
      const locked = await fixture.factory.workspace(tenant.organizationId, {
        status: 'locked',
        credits: { sms: 200 },
      });
      const between = [
        { from_workspace_id: locked.id, to_workspace_id: tenant.workspace.id },
        { to_workspace_id: locked.id },
      ];
      for (const fields of between) expect(await transfer(fields)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      const member = await fixture.factory.key(tenant.organizationId, { role: 'member' });
      const body = { from_workspace_id: newId(), to_workspace_id: newId(), credit_type: 'sms', amount: 1 };
      expect(await credits.statusOf('POST', '/transfer', body, member)).toBe(403);
    });
  });
});
