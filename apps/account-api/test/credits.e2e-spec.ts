import { post, type LedgerPosting } from '@heliograph/credits';
import { newId, poolOf } from '@heliograph/database';
import type { Balances, EntryList } from '../src/money/credits/credits.dto';
import { AccountFixture, type Tenant } from './account-fixture';

describe('the credits of a workspace', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let path: string;
  beforeAll(async () => {
    fixture = await AccountFixture.start();
    tenant = await fixture.tenant();
    path = `/api/workspaces/${tenant.workspace.id}/credits`;
  });
  afterAll(() => fixture.stop());

  const move = (posting: Partial<LedgerPosting>, { workspace } = tenant) =>
    post(poolOf(fixture.factory.dataSource), [
      {
        organizationId: workspace.organizationId,
        workspaceId: workspace.id,
        creditType: 'sms',
        kind: 'topup',
        amount: 1,
        reference: `test:${newId()}`,
        correlationId: null,
        ...posting,
      },
    ]);
  const balances = async ({ workspace, key } = tenant) => {
    const { data } = await fixture.call<Balances>('GET', `/api/workspaces/${workspace.id}/credits`, { key });
    return data;
  };
  const entries = async (query = '') => {
    const { status, data } = await fixture.call<EntryList>('GET', `${path}/ledger${query}`, { key: tenant.key });
    expect([query, status]).toEqual([query, 200]);
    return data.entries;
  };

  it('have three balances, also before the first top-up', async () => {
    const fresh = await fixture.tenant();
    const none = (creditType: string) => ({ creditType, balance: 0, lowThreshold: null });
    expect(await balances(fresh)).toEqual({
      workspaceId: fresh.workspace.id,
      balances: [none('sms'), none('email'), none('chatapp')],
    });
    await move({ creditType: 'email', amount: 7 }, fresh);
    expect((await balances(fresh)).balances).toEqual([none('sms'), { ...none('email'), balance: 7 }, none('chatapp')]);
  });

  it('have a ledger, newest first, whose sum equals the balance', async () => {
    await move({ amount: 100, reference: 'order:1' });
    await move({ kind: 'charge', amount: -30, reference: 'sms:1' });
    await move({ kind: 'refund', amount: 5, reference: 'sms:1' });
    await move({ kind: 'adjustment', amount: -1, reference: 'operator:1' });
    const all = await entries();
    expect(all.map(({ kind, amount, balanceAfter, reference }) => [kind, amount, balanceAfter, reference])).toEqual([
      ['adjustment', -1, 74, 'operator:1'],
      ['refund', 5, 75, 'sms:1'],
      ['charge', -30, 70, 'sms:1'],
      ['topup', 100, 100, 'order:1'],
    ]);
    expect((await balances()).balances[0]!.balance).toBe(74);
    expect(all.every(({ createdAt }) => /^\d{4}-.*Z$/.test(createdAt))).toBe(true);
  });

  it('have a ledger that can be filtered by type, kind, reference and time, also combined', async () => {
    await move({ creditType: 'email', amount: 9, reference: 'order:2' });
    const all = await entries();
    const [newest, second] = all;
    expect((await entries('?creditType=email')).map(({ reference }) => reference)).toEqual(['order:2']);
    expect(await entries('?creditType=chatapp')).toEqual([]);
    expect((await entries('?kind=charge')).map(({ amount }) => amount)).toEqual([-30]);
    expect(await entries('?kind=transfer')).toEqual([]);
    expect((await entries('?reference=sms:1')).map(({ kind }) => kind)).toEqual(['refund', 'charge']);
    expect(await entries('?reference=sms:')).toEqual([]);
    expect(await entries(`?reference=${encodeURIComponent("' OR true --")}`)).toEqual([]);
    const after = encodeURIComponent(new Date(Date.parse(newest!.createdAt) + 1).toISOString());
    expect(await entries(`?from=${after}`)).toEqual([]);
    expect(await entries(`?to=${after}`)).toEqual(all);
    expect((await entries(`?from=${newest!.createdAt}`)).map(({ id }) => id)).toContain(newest!.id);
    expect((await entries(`?to=${second!.createdAt}`)).map(({ id }) => id)).not.toContain(newest!.id);
    // The same time in other notations.
    const zoned = encodeURIComponent(newest!.createdAt.replace('Z', '+00:00'));
    expect((await entries(`?from=${zoned}`)).map(({ id }) => id)).toContain(newest!.id);
    expect(await entries(`?creditType=sms&kind=charge&reference=sms:1&to=${after}`)).toHaveLength(1);
    expect(await entries(`?creditType=email&kind=charge`)).toEqual([]);
  });

  it.each([
    'creditType=fax',
    'creditType=',
    'kind=gift',
    'from=yesterday',
    'from=2026-11-20',
    'to=1732060800',
    'from=2026-02-30T00:00:00Z',
    'to=2026-01-01T24:00:00Z',
    'to=2026-13-01T00:00:00Z',
    'from=',
    `reference=${'x'.repeat(301)}`,
    'reference=%00',
  ])('have a ledger and an export that reject %s', async (query) => {
    for (const list of ['ledger', 'ledger.csv']) {
      const { status, error } = await fixture.call('GET', `${path}/${list}?${query}`, { key: tenant.key });
      expect([list, status, error?.code]).toEqual([list, 422, 'VALIDATION_ERROR']);
      expect(error.message).toContain(`${query.split('=')[0]}: `);
    }
  });

  it('have a ledger whose pages show each entry once while entries are added', async () => {
    const mine = await fixture.tenant();
    for (let amount = 1; amount <= 25; amount++) await move({ amount }, mine);
    const seen: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = `?limit=4&kind=topup${cursor && `&cursor=${cursor}`}`;
      const { data } = await fixture.call<EntryList>(
        'GET',
        `/api/workspaces/${mine.workspace.id}/credits/ledger${query}`,
        {
          key: mine.key,
        },
      );
      expect(data.entries.length).toBeLessThanOrEqual(4);
      seen.push(...data.entries.map(({ amount }) => amount));
      cursor = data.nextCursor;
      await move({ amount: 1_000 }, mine);
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
  });

  it('have a ledger that reveals nothing for a cursor of another workspace', async () => {
    const other = await fixture.tenant();
    for (let count = 0; count < 3; count++) await move({}, other);
    const { data } = await fixture.call<EntryList>(
      'GET',
      `/api/workspaces/${other.workspace.id}/credits/ledger?limit=2`,
      { key: other.key },
    );
    for (const cursor of [data.nextCursor!, Buffer.from(newId()).toString('base64url')]) {
      const { status, error } = await fixture.call('GET', `${path}/ledger?cursor=${cursor}`, { key: tenant.key });
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(error.message).toMatch(/^cursor: /);
    }
  });
});
