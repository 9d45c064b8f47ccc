import { post } from './ledger';
import { LedgerFixture } from './ledger.fixture';
import { findBrokenEntries, reconcile } from './reconcile';

describe('the reconciliation', () => {
  let ledger: LedgerFixture;
  beforeEach(async () => {
    ledger = await LedgerFixture.start();
  });
  afterEach(() => ledger.stop());

  it('reports a balance that is not the sum of its entries', async () => {
    const workspace = await ledger.account(10);
    await ledger.account(20);
    expect(await reconcile(ledger.pool)).toEqual([]);
    const change = (sql: string) => ledger.database.query(sql, [workspace]);
    await change('UPDATE credits.accounts SET balance = 11 WHERE workspace_id = $1');
    const difference = { workspaceId: workspace, creditType: 'sms', balance: 11, ledgerSum: 10 };
    expect(await reconcile(ledger.pool)).toEqual([difference]);
    await change('DELETE FROM credits.accounts WHERE workspace_id = $1');
    expect(await reconcile(ledger.pool)).toEqual([{ ...difference, balance: 0 }]);
    await change('DELETE FROM credits.ledger WHERE workspace_id = $1');
    expect(await reconcile(ledger.pool)).toEqual([]);
  });

  it('reports only the entry whose balance does not match the previous one', async () => {
    const workspace = await ledger.account(10);
    const charges = [-1, -2, -3].map((amount) => ledger.posting(workspace, amount));
    await post(ledger.pool, [...charges, ledger.posting(workspace, 5, { creditType: 'email' })]);
    expect(await findBrokenEntries(ledger.pool)).toEqual([]);
    const { reference } = charges[1]!;
    // Both values change by one, so the sum is still correct.
    await ledger.database.query('UPDATE credits.ledger SET amount = amount - 1 WHERE reference = $1', [reference]);
    await ledger.database.query('UPDATE credits.ledger SET amount = amount + 1 WHERE reference = $1', [
      charges[2]!.reference,
    ]);
    expect(await reconcile(ledger.pool)).toEqual([]);
    expect(await findBrokenEntries(ledger.pool)).toMatchObject([
      { workspaceId: workspace, creditType: 'sms', reference, expectedBalance: 6, balanceAfter: 7 },
      { reference: charges[2]!.reference, expectedBalance: 5, balanceAfter: 4 },
    ]);
  });

  it('reports a first entry with a wrong start balance, and the entry after a deleted one', async () => {
    const workspace = await ledger.account(10);
    const charge = ledger.posting(workspace, -1);
    await post(ledger.pool, [charge]);
    await ledger.database.query(`DELETE FROM credits.ledger WHERE workspace_id = $1 AND kind = 'topup'`, [workspace]);
    expect(await findBrokenEntries(ledger.pool)).toMatchObject([
      { reference: charge.reference, expectedBalance: -1, balanceAfter: 9 },
    ]);
  });

  it('checks entries without positions by their sum', async () => {
    const workspace = await ledger.account(10);
    await post(ledger.pool, [ledger.posting(workspace, -3)]);
    await ledger.database.query(
      'UPDATE credits.ledger SET position = -position, balance_after = 5 WHERE workspace_id = $1',
      [workspace],
    );
    await post(ledger.pool, [ledger.posting(workspace, -2)]);
    expect(await findBrokenEntries(ledger.pool)).toEqual([]);
    await ledger.database.query('UPDATE credits.ledger SET amount = 11 WHERE amount = 10');
    expect(await findBrokenEntries(ledger.pool)).toMatchObject([{ expectedBalance: 6, balanceAfter: 5 }]);
  });
});
