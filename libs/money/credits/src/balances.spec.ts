import { newId } from '@heliograph/database';
import { balancesOf, setLowThreshold } from './balances';
import { post } from './ledger';
import { LedgerFixture } from './ledger.fixture';

let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await LedgerFixture.start();
});
afterAll(() => ledger.stop());

const watch = (workspace: string, threshold: number | null) =>
  ledger.within((transaction) => setLowThreshold(transaction, workspace, 'email', threshold));

describe('the balances of a workspace', () => {
  it('include every credit type, even without a grant', async () => {
    const workspace = await ledger.account(0);
    const nothing = { balance: 0, lowThreshold: null };
    const empty = ['sms', 'email', 'chatapp'].map((creditType) => ({ creditType, ...nothing }));
    expect(await balancesOf(ledger.pool, workspace)).toEqual(empty);
    await post(ledger.pool, [ledger.posting(workspace, 7, { creditType: 'email' })]);
    await watch(workspace, 3);
    expect(await balancesOf(ledger.pool, workspace)).toEqual([
      empty[0],
      { creditType: 'email', balance: 7, lowThreshold: 3 },
      empty[2],
    ]);
    expect(await balancesOf(ledger.pool, newId())).toEqual(empty);
  });
});

describe('a threshold', () => {
  it('can be set before there are credits, changed and removed, without changing the balance', async () => {
    const workspace = await ledger.account(0);
    expect(await watch(workspace, 3)).toEqual({ before: null, after: 3 });
    await post(ledger.pool, [ledger.posting(workspace, 7, { creditType: 'email' })]);
    expect(await watch(workspace, 9)).toEqual({ before: 3, after: 9 });
    expect(await watch(workspace, null)).toEqual({ before: 9, after: null });
    const [, email] = await balancesOf(ledger.pool, workspace);
    expect(email).toEqual({ creditType: 'email', balance: 7, lowThreshold: null });
  });

  it.each([0, -1, 0.5, NaN, Infinity, 2 ** 53])('of %d is rejected', async (threshold) => {
    const workspace = await ledger.account(0);
    await expect(watch(workspace, threshold)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await balancesOf(ledger.pool, workspace)).map(({ lowThreshold }) => lowThreshold)).toEqual([
      null,
      null,
      null,
    ]);
  });
});
