import { post } from '@heliograph/credits';
import { newId, poolOf } from '@heliograph/database';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import type { Balances, OneBalance } from '../src/money/credits/credits.dto';
import { AccountFixture, type Tenant } from './account-fixture';

/** An amount that no other test uses: when its event arrives, all earlier events have arrived. */
const LAST = 999_999;

describe('the threshold of a balance', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let tap: EventTap;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tap = await tapEvents(fixture.service.amqpPrefix);
  });
  afterAll(() => tap.close());
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const set = (body: unknown, creditType = 'sms', headers: Record<string, string> = {}) =>
    fixture.call<OneBalance>('PUT', `/api/workspaces/${tenant.workspace.id}/credits/thresholds/${creditType}`, {
      key: tenant.key,
      body,
      headers,
    });
  const balances = async () => {
    const path = `/api/workspaces/${tenant.workspace.id}/credits`;
    return (await fixture.call<Balances>('GET', path, { key: tenant.key })).data.balances;
  };
  const move = (amount: number) =>
    post(poolOf(fixture.factory.dataSource), [
      {
        organizationId: tenant.organizationId,
        workspaceId: tenant.workspace.id,
        creditType: 'sms',
        kind: amount > 0 ? 'topup' : 'charge',
        amount,
        reference: `test:${newId()}`,
        correlationId: 'a-request',
      },
    ]);
  const lows = () =>
    tap.events.filter(({ type, workspaceId }) => type === 'credits.low' && workspaceId === tenant.workspace.id);
  const publishedEvents = () =>
    until('the outbox is empty', async () => {
      const waiting = await fixture.database.query('SELECT FROM messaging.outbox');
      const last = tap.events.some(
        ({ workspaceId, data }) => workspaceId === tenant.workspace.id && (data as { amount?: number }).amount === LAST,
      );
      return waiting.length === 0 && last;
    });

  it('can be set, read, changed and removed', async () => {
    expect((await set({ lowThreshold: 50 })).data).toEqual({
      balance: { creditType: 'sms', balance: 0, lowThreshold: 50 },
    });
    await move(80);
    expect((await set({ lowThreshold: 60 })).data.balance).toEqual({
      creditType: 'sms',
      balance: 80,
      lowThreshold: 60,
    });
    expect((await set({ lowThreshold: 5 }, 'email')).data.balance).toMatchObject({
      creditType: 'email',
      lowThreshold: 5,
    });
    expect((await balances()).map(({ lowThreshold }) => lowThreshold)).toEqual([60, 5, null]);
    expect((await set({ lowThreshold: null })).data.balance).toMatchObject({ balance: 80, lowThreshold: null });
    expect((await balances()).map(({ lowThreshold }) => lowThreshold)).toEqual([null, 5, null]);
    const path = '/api/organization/audit-log?action=credits.threshold_changed';
    const { data } = await fixture.call<{ entries: { before: object; after: object }[] }>('GET', path, {
      key: tenant.key,
    });
    expect(data.entries.map(({ before, after }) => [before, after])).toEqual([
      [{ lowThreshold: 60 }, { lowThreshold: null }],
      [{ lowThreshold: null }, { lowThreshold: 5 }],
      [{ lowThreshold: 50 }, { lowThreshold: 60 }],
      [{ lowThreshold: null }, { lowThreshold: 50 }],
    ]);
  });

  it.each([0, -1, 1.5, '50', 1e308, true, [], undefined])('cannot be %p', async (lowThreshold) => {
    const { status, error } = await set({ lowThreshold });
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(/^lowThreshold: /);
    expect((await balances())[0]!.lowThreshold).toBeNull();
  });

  it('exists for the three credit types only', async () => {
    for (const type of ['fax', 'SMS', '__proto__', '%20sms']) {
      expect(await set({ lowThreshold: 5 }, type)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    }
  });

  it('publishes one event when the balance drops below it, and another one after the balance was above it again', async () => {
    await move(100);
    await set({ lowThreshold: 50 });
    await move(-50);
    await move(-1);
    await move(-9);
    await until('the first event is published', () => lows().length === 1);
    expect(lows()[0]).toMatchObject({
      organizationId: tenant.organizationId,
      correlationId: 'a-request',
      version: 1,
      data: { workspaceId: tenant.workspace.id, creditType: 'sms', threshold: 50, balance: 49 },
    });
    await move(10);
    await move(-1);
    await move(-5);
    await until('the second event is published', () => lows().length === 2);
    await set({ lowThreshold: null });
    await move(-20);
    await move(LAST);
    await publishedEvents();
    expect(lows().map(({ data }) => (data as { balance: number }).balance)).toEqual([49, 49]);
  });

  it('publishes one event when concurrent charges cross it', async () => {
    await move(100);
    await set({ lowThreshold: 50 });
    await Promise.all(Array.from({ length: 20 }, () => move(-4)));
    await move(LAST);
    await publishedEvents();
    expect(lows()).toHaveLength(1);
    expect(lows()[0]!.data).toMatchObject({ threshold: 50, balance: 48 });
  });

  it('publishes no event when it is set above the balance', async () => {
    await move(10);
    await set({ lowThreshold: 50 });
    await move(-5);
    await move(LAST);
    await publishedEvents();
    expect(lows()).toEqual([]);
  });
});
