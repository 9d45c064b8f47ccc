import { Registry } from 'prom-client';
import { LedgerFixture } from './ledger.fixture';
import { LedgerDrift } from './ledger-drift';
import { post } from './ledger';

describe('the comparison of balances with the newest entries', () => {
  let ledger: LedgerFixture;
  beforeAll(async () => {
    ledger = await LedgerFixture.start();
  });
  afterAll(() => ledger.stop());

  const driftOf = async (): Promise<number | undefined> => {
    const registry = new Registry();
    const drift = new LedgerDrift(ledger.pool, registry);
    for (let checked = 0; checked === 0;) {
      await drift.check();
      checked = (await registry.getSingleMetric('ledger_checked_timestamp_seconds')?.get())?.values[0]?.value ?? 0;
    }
    return (await registry.getSingleMetric('ledger_drift_accounts')?.get())?.values[0]?.value;
  };

  it('counts the accounts whose balance was changed without an entry, over all slices', async () => {
    for (let n = 0; n < 450; n++) await ledger.account(10);
    const changed = await ledger.account(10);
    await Promise.all(Array.from({ length: 20 }, () => post(ledger.pool, [ledger.posting(changed, -1)])));
    expect(await driftOf()).toBe(0);
    const change = (amount: number) =>
      ledger.pool.query('UPDATE credits.accounts SET balance = balance + $2 WHERE workspace_id = $1', [
        changed,
        amount,
      ]);
    await change(1);
    expect(await driftOf()).toBe(1);
    await change(-1);
    expect(await driftOf()).toBe(0);
  });

  it('counts an account whose entry was deleted', async () => {
    const account = await ledger.account(10);
    await post(ledger.pool, [ledger.posting(account, -4)]);
    await ledger.pool.query('DELETE FROM credits.ledger WHERE workspace_id = $1 AND amount = -4', [account]);
    expect(await driftOf()).toBe(1);
  });
});
