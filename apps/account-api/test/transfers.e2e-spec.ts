import { newId } from '@heliograph/database';
import { tapEvents, unique, until } from '@heliograph/testing';
import type { Workspace } from '@heliograph/tenancy';
import type { Balances, EntryList, OneTransfer } from '../src/money/credits/credits.dto';
import { AccountFixture, type Tenant } from './account-fixture';

describe('a transfer of credits', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let to: Workspace;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    to = await fixture.factory.workspace(tenant.organizationId);
    await fixture.factory.topUp(tenant.workspace, 'sms', 100);
  });

  const transfer = (body: object, from: { id: string } = tenant.workspace, headers: Record<string, string> = {}) =>
    fixture.call<OneTransfer>('POST', `/api/workspaces/${from.id}/credits/transfers`, {
      key: tenant.key,
      headers,
      body: { toWorkspaceId: to.id, creditType: 'sms', amount: 30, ...body },
    });
  const balance = async ({ id }: { id: string }) => {
    const { data } = await fixture.call<Balances>('GET', `/api/workspaces/${id}/credits`, { key: tenant.key });
    return data.balances.find(({ creditType }) => creditType === 'sms')!.balance;
  };
  const entries = async ({ id }: { id: string }) => {
    const query = '?kind=transfer&limit=100';
    const path = `/api/workspaces/${id}/credits/ledger${query}`;
    return (await fixture.call<EntryList>('GET', path, { key: tenant.key })).data.entries;
  };
  const nothingMoved = async () => {
    expect([await balance(tenant.workspace), await balance(to)]).toEqual([100, 0]);
    expect([...(await entries(tenant.workspace)), ...(await entries(to))]).toEqual([]);
    const { data } = await fixture.call<{ entries: object[] }>(
      'GET',
      '/api/organization/audit-log?action=credits.transferred',
      { key: tenant.key },
    );
    expect(data.entries).toEqual([]);
  };

  it('moves credits to the other workspace, with entries in both ledgers and in the audit log', async () => {
    const { status, data } = await transfer({});
    const { id } = data.transfer;
    expect(status).toBe(201);
    expect(data).toEqual({
      transfer: {
        id,
        fromWorkspaceId: tenant.workspace.id,
        toWorkspaceId: to.id,
        creditType: 'sms',
        amount: 30,
        fromBalance: 70,
        toBalance: 30,
      },
    });
    expect([await balance(tenant.workspace), await balance(to)]).toEqual([70, 30]);
    expect(await entries(tenant.workspace)).toEqual([
      expect.objectContaining({ amount: -30, balanceAfter: 70, reference: `transfer:${id}:out` }),
    ]);
    expect(await entries(to)).toEqual([
      expect.objectContaining({ amount: 30, balanceAfter: 30, reference: `transfer:${id}:in` }),
    ]);
    const log = await fixture.call<{ entries: object[] }>('GET', `/api/organization/audit-log?targetId=${to.id}`, {
      key: tenant.key,
    });
    expect(log.data.entries).toEqual([
      expect.objectContaining({
        action: 'credits.transferred',
        workspaceId: tenant.workspace.id,
        after: data.transfer,
      }),
    ]);
  });

  it('publishes one event for each workspace', async () => {
    const tap = await tapEvents(fixture.service.amqpPrefix);
    try {
      const requestId = `transfer-${unique()}`;
      await transfer({}, tenant.workspace, { 'x-request-id': requestId });
      const transferEvents = () => tap.events.filter(({ type }) => type === 'credits.transferred');
      await until('both events are published', () => transferEvents().length === 2);
      const sides = transferEvents().map(({ workspaceId, correlationId, data }) => [
        workspaceId,
        correlationId,
        (data as { amount: number }).amount,
      ]);
      expect(sides).toEqual(
        expect.arrayContaining([
          [tenant.workspace.id, requestId, -30],
          [to.id, requestId, 30],
        ]),
      );
    } finally {
      await tap.close();
    }
  });

  it('moves the last credit, and is rejected if the credits are insufficient', async () => {
    expect(await transfer({ amount: 101 })).toMatchObject({ status: 402, error: { code: 'INSUFFICIENT_CREDITS' } });
    expect(await transfer({ creditType: 'email' })).toMatchObject({ status: 402 });
    await nothingMoved();
    expect((await transfer({ amount: 100 })).data.transfer).toMatchObject({ fromBalance: 0, toBalance: 100 });
  });

  it.each([0, -1, 1.5, 1e308, '10', null, NaN, Infinity, 1_000_000_000_001, true, [1], undefined])(
    'is rejected for the amount %p',
    async (amount) => {
      const { status, error } = await transfer({ amount });
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(error.message).toMatch(/^amount: /);
      await nothingMoved();
    },
  );

  it('requires another workspace of the organization, in any notation of its id', async () => {
    const { id } = tenant.workspace;
    for (const toWorkspaceId of [id, id.toUpperCase(), newId(), 'x', '', null, (await fixture.tenant()).workspace.id]) {
      const { status, error } = await transfer({ toWorkspaceId });
      expect([toWorkspaceId, status, error?.code]).toEqual([toWorkspaceId, 422, 'VALIDATION_ERROR']);
      expect(error.message).toMatch(/^toWorkspaceId: /);
    }
    expect((await transfer({ creditType: 'fax' })).status).toBe(422);
    await nothingMoved();
  });

  it('is rejected to and from a locked workspace', async () => {
    const locked = await fixture.factory.workspace(tenant.organizationId, { status: 'locked', credits: { sms: 5 } });
    const forbidden = { status: 403, error: { code: 'FORBIDDEN' } };
    expect(await transfer({ toWorkspaceId: locked.id })).toMatchObject(forbidden);
    expect(await transfer({ amount: 1 }, locked)).toMatchObject(forbidden);
    expect(await balance(locked)).toBe(5);
    await nothingMoved();
  });

  it('is rejected for a key that is bound to a workspace', async () => {
    const key = await fixture.factory.key(tenant.organizationId, { workspaceId: tenant.workspace.id });
    const path = `/api/workspaces/${tenant.workspace.id}/credits/transfers`;
    const body = { toWorkspaceId: to.id, creditType: 'sms', amount: 1 };
    expect(await fixture.call('POST', path, { key, body })).toMatchObject({ status: 403 });
    await nothingMoved();
  });

  it('is executed once per Idempotency-Key, also for concurrent requests', async () => {
    const headers = { 'Idempotency-Key': unique() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => transfer({}, tenant.workspace, headers)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    for (const { status, error } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, error.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    }
    const again = await transfer({}, tenant.workspace, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(made[0]!.data);
    expect([await balance(tenant.workspace), await balance(to)]).toEqual([70, 30]);
    expect(await transfer({ amount: 1 }, tenant.workspace, headers)).toMatchObject({
      status: 409,
      error: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  it('is executed once per Idempotency-Key for all spellings of the path', async () => {
    const { id } = tenant.workspace;
    const call = {
      key: tenant.key,
      headers: { 'Idempotency-Key': unique() },
      body: { toWorkspaceId: to.id, creditType: 'sms', amount: 30 },
    };
    const spellings = [
      `/api/workspaces/${id}/credits/transfers`,
      `/api/workspaces/${id.toUpperCase()}/credits/transfers`,
      `/api/workspaces/${id}/credits/transfers/`,
      `/api/Workspaces/${id}/credits/TRANSFERS`,
      `/api/workspaces/${id.replace('-', '%2D')}/credits/transfers`,
    ];
    const replayed: (string | null)[] = [];
    for (const path of spellings) {
      const response = await fetch(`${fixture.service.url}${path}`, {
        method: 'POST',
        headers: { ...call.headers, authorization: `Bearer ${call.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(call.body),
      });
      expect([path, response.status]).toEqual([path, 201]);
      replayed.push(response.headers.get('idempotent-replayed'));
    }
    expect(replayed).toEqual([null, 'true', 'true', 'true', 'true']);
    expect([await balance(tenant.workspace), await balance(to)]).toEqual([70, 30]);
  });

  it('can be retried with the same Idempotency-Key after INSUFFICIENT_CREDITS', async () => {
    const headers = { 'Idempotency-Key': unique() };
    expect((await transfer({ amount: 150 }, tenant.workspace, headers)).status).toBe(402);
    await fixture.factory.topUp(tenant.workspace, 'sms', 50);
    expect((await transfer({ amount: 150 }, tenant.workspace, headers)).status).toBe(201);
  });

  it('neither loses nor creates credits in 50 concurrent transfers', async () => {
    await fixture.factory.topUp(to, 'sms', 40);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? transfer({ amount: 7 })
          : transfer({ amount: 5, toWorkspaceId: tenant.workspace.id }, { id: to.id }),
      ),
    );
    expect([...new Set(answers.map(({ status }) => status))].filter((status) => ![201, 402].includes(status))).toEqual(
      [],
    );
    const mine = await balance(tenant.workspace);
    const theirs = await balance(to);
    expect(mine + theirs).toBe(140);
    expect(Math.min(mine, theirs)).toBeGreaterThanOrEqual(0);
    const moved = (list: { amount: number }[]) => list.reduce((sum, { amount }) => sum + amount, 0);
    const left = await entries(tenant.workspace);
    const right = await entries(to);
    expect([100 + moved(left), 40 + moved(right)]).toEqual([mine, theirs]);
    const count = answers.filter(({ status }) => status === 201).length;
    expect([left.length, right.length]).toEqual([count, count]);
    expect(count).toBeGreaterThan(20);
  });
});
