import {
  creditsAdjusted,
  creditsCharged,
  creditsLow,
  creditsRefunded,
  creditsToppedUp,
  creditsTransferred,
  parseEvent,
} from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { MAX_AMOUNT, MAX_BALANCE } from './amounts';
import { balanceOf, setLowThreshold } from './balances';
import { post } from './ledger';
import { LedgerFixture } from './ledger.fixture';

describe('the ledger', () => {
  let ledger: LedgerFixture;
  beforeAll(async () => {
    ledger = await LedgerFixture.start();
  });
  afterAll(() => ledger.stop());

  it('posts in the given order, and returns the balance after each entry', async () => {
    const workspace = await ledger.account(10);
    const results = await post(ledger.pool, [
      ledger.posting(workspace, -4),
      ledger.posting(workspace, -7),
      ledger.posting(workspace, 5),
      ledger.posting(workspace, -7),
    ]);
    expect(results).toEqual([
      { outcome: 'posted', balance: 6 },
      { outcome: 'insufficient', balance: 6 },
      { outcome: 'posted', balance: 11 },
      { outcome: 'posted', balance: 4 },
    ]);
    expect(await balanceOf(ledger.pool, workspace, 'sms')).toBe(4);
    expect((await ledger.entries(workspace)).map(({ balance_after }) => Number(balance_after))).toEqual([10, 6, 11, 4]);
  });

  it('moves credits once per reference and kind, even if the second amount is different', async () => {
    const workspace = await ledger.account(10);
    const charge = ledger.posting(workspace, -4);
    expect(await post(ledger.pool, [charge])).toEqual([{ outcome: 'posted', balance: 6 }]);
    expect(await post(ledger.pool, [charge])).toEqual([{ outcome: 'repeated', balance: 6 }]);
    expect(await post(ledger.pool, [{ ...charge, amount: -6 }])).toEqual([{ outcome: 'repeated', balance: 6 }]);
    const refund = { ...charge, kind: 'refund' as const, amount: 4 };
    expect(await post(ledger.pool, [refund, ledger.posting(workspace, -1)])).toEqual([
      { outcome: 'posted', balance: 10 },
      { outcome: 'posted', balance: 9 },
    ]);
    expect((await post(ledger.pool, [refund]))[0]?.outcome).toBe('repeated');
    expect(await balanceOf(ledger.pool, workspace, 'sms')).toBe(9);
  });

  it('has a separate balance for each channel', async () => {
    const workspace = await ledger.account(10);
    await post(ledger.pool, [ledger.posting(workspace, 3, { creditType: 'email' })]);
    expect((await post(ledger.pool, [ledger.posting(workspace, -4, { creditType: 'email' })]))[0]?.outcome).toBe(
      'insufficient',
    );
    expect(await balanceOf(ledger.pool, workspace, 'email')).toBe(3);
    expect(await balanceOf(ledger.pool, workspace, 'sms')).toBe(10);
    expect(await balanceOf(ledger.pool, workspace, 'chatapp')).toBe(0);
  });

  it('rejects a charge of an account that never had credits', async () => {
    const workspace = await ledger.account(0);
    expect(await post(ledger.pool, [ledger.posting(workspace, -1)])).toEqual([{ outcome: 'insufficient', balance: 0 }]);
    expect(await ledger.entries(workspace)).toEqual([]);
  });

  it('is committed in the transaction of its cause', async () => {
    const workspace = await ledger.account(10);
    const client = await ledger.pool.connect();
    await client.query('BEGIN');
    expect(await post(client, [ledger.posting(workspace, -4)])).toEqual([{ outcome: 'posted', balance: 6 }]);
    await client.query('ROLLBACK');
    client.release();
    expect(await balanceOf(ledger.pool, workspace, 'sms')).toBe(10);
    expect(await ledger.entries(workspace)).toHaveLength(1);
  });

  it('emits one event per movement, and none for a rejected movement', async () => {
    const workspace = await ledger.account(10);
    const correlationId = 'call "1" \\ é';
    const charge = ledger.posting(workspace, -4, { correlationId, reference: `a"b\\c 😀 ${newId()}` });
    await post(ledger.pool, [charge, ledger.posting(workspace, -100)]);
    const others = [
      ledger.posting(workspace, 4, { kind: 'refund' }),
      ledger.posting(workspace, 5),
      ledger.posting(workspace, -2, { kind: 'transfer' }),
      ledger.posting(workspace, -1, { kind: 'adjustment' }),
    ];
    await post(ledger.pool, others);
    const events = await ledger.events(workspace);
    const contracts = [creditsCharged, creditsRefunded, creditsToppedUp, creditsTransferred, creditsAdjusted];
    const after = [6, 10, 15, 13, 12];
    expect(events.map(({ type, payload }, i) => [type, parseEvent(contracts[i]!, payload)])).toEqual(
      [charge, ...others].map((posting, i) => [
        contracts[i]!.type,
        {
          id: expect.any(String) as string,
          type: contracts[i]!.type,
          version: 1,
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
          organizationId: ledger.organizationId,
          workspaceId: workspace,
          correlationId: posting.correlationId,
          data: {
            entryId: events[i]!.payload.id,
            workspaceId: workspace,
            creditType: 'sms',
            amount: posting.amount,
            balanceAfter: after[i],
            reference: posting.reference,
          },
        },
      ]),
    );
  });

  it('posts a duplicate within a batch once, and returns the result of the first', async () => {
    const workspace = await ledger.account(10);
    const charge = ledger.posting(workspace, -4);
    const large = ledger.posting(workspace, -100);
    expect(
      await post(ledger.pool, [
        charge,
        ledger.posting(workspace, -1),
        charge,
        { ...charge, amount: -2 },
        { ...charge, kind: 'refund', amount: 4 },
        large,
        { ...large, amount: -3 },
      ]),
    ).toEqual([
      { outcome: 'posted', balance: 6 },
      { outcome: 'posted', balance: 5 },
      { outcome: 'repeated', balance: 6 },
      { outcome: 'repeated', balance: 6 },
      { outcome: 'posted', balance: 9 },
      { outcome: 'insufficient', balance: 9 },
      { outcome: 'posted', balance: 6 },
    ]);
    const amounts = (await ledger.entries(workspace)).map(({ amount }) => Number(amount));
    expect(amounts).toEqual([10, -4, -1, 4, -3]);
  });

  it('posts a reference that occurs in a batch for two workspaces only to one of them', async () => {
    const one = await ledger.account(10);
    const other = await ledger.account(10);
    const charge = ledger.posting(one, -4);
    const results = await post(ledger.pool, [charge, { ...charge, workspaceId: other }]);
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['posted', 'repeated']);
    expect((await balanceOf(ledger.pool, one, 'sms')) + (await balanceOf(ledger.pool, other, 'sms'))).toBe(16);
  });

  describe('with a threshold', () => {
    const watched = async (credits: number, threshold: number): Promise<string> => {
      const workspace = await ledger.account(credits);
      await ledger.within((transaction) => setLowThreshold(transaction, workspace, 'sms', threshold));
      return workspace;
    };
    const lows = async (workspace: string) =>
      (await ledger.events(workspace)).filter(({ type }) => type === 'credits.low').map(({ payload }) => payload);

    it('emits an event once when the balance drops below it, and again only after the balance was restored', async () => {
      const workspace = await watched(12, 10);
      const move = (amount: number, more = {}) => post(ledger.pool, [ledger.posting(workspace, amount, more)]);
      await move(-2);
      expect(await lows(workspace)).toEqual([]);
      await move(-1, { correlationId: 'the call' });
      await move(-1);
      const [event] = await lows(workspace);
      expect(parseEvent(creditsLow, event)).toMatchObject({
        organizationId: ledger.organizationId,
        workspaceId: workspace,
        correlationId: 'the call',
        data: { workspaceId: workspace, creditType: 'sms', threshold: 10, balance: 9 },
      });
      await move(2);
      await move(-5, { kind: 'transfer' });
      await move(-1);
      expect((await lows(workspace)).map(({ data }) => (data as { balance: number }).balance).sort()).toEqual([5, 9]);
    });

    it('is evaluated once per batch, for each account separately', async () => {
      const falls = await watched(12, 10);
      const dips = await watched(12, 10);
      const stays = await watched(12, 10);
      await post(ledger.pool, [
        ledger.posting(dips, -5),
        ledger.posting(falls, -1),
        ledger.posting(stays, -100),
        ledger.posting(falls, -4),
        ledger.posting(dips, 5),
      ]);
      expect((await lows(falls)).map(({ data }) => data)).toEqual([
        { workspaceId: falls, creditType: 'sms', threshold: 10, balance: 7 },
      ]);
      expect([...(await lows(dips)), ...(await lows(stays))]).toEqual([]);
    });

    it('emits no event for a movement that is rolled back, is a duplicate, or belongs to another channel', async () => {
      const workspace = await watched(12, 10);
      const charge = ledger.posting(workspace, -5);
      await expect(
        ledger.within(async (transaction) => {
          await post(transaction, [charge]);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      await post(ledger.pool, [ledger.posting(workspace, 5, { creditType: 'email' })]);
      await post(ledger.pool, [ledger.posting(workspace, -5, { creditType: 'email' })]);
      expect(await lows(workspace)).toEqual([]);
      await post(ledger.pool, [charge]);
      await post(ledger.pool, [charge]);
      expect(await lows(workspace)).toHaveLength(1);
    });
  });

  it.each([0, 1.5, NaN, Infinity, 1e308, 2 ** 63, MAX_AMOUNT + 1, -MAX_AMOUNT - 1])(
    'rejects an amount of %d without moving credits',
    async (amount) => {
      const workspace = await ledger.account(10);
      const postings = [ledger.posting(workspace, 1), ledger.posting(workspace, amount, { kind: 'topup' })];
      await expect(post(ledger.pool, postings)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(await balanceOf(ledger.pool, workspace, 'sms')).toBe(10);
    },
  );

  it('posts charges of 0 for free messages, with or without an account', async () => {
    const workspace = await ledger.account(0);
    expect(await post(ledger.pool, [ledger.posting(workspace, 0, { kind: 'charge' })])).toEqual([
      { outcome: 'posted', balance: 0 },
    ]);
    expect(await ledger.entries(workspace)).toHaveLength(1);
  });

  it('accepts amounts and balances up to the limit', async () => {
    const workspace = await ledger.account(MAX_AMOUNT);
    await ledger.database.query('UPDATE credits.accounts SET balance = $2 WHERE workspace_id = $1', [
      workspace,
      MAX_BALANCE - 2,
    ]);
    expect(await post(ledger.pool, [ledger.posting(workspace, 2)])).toEqual([
      { outcome: 'posted', balance: MAX_BALANCE },
    ]);
    await expect(post(ledger.pool, [ledger.posting(workspace, 1)])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await balanceOf(ledger.pool, workspace, 'sms')).toBe(MAX_BALANCE);
    await ledger.database.query('DELETE FROM credits.accounts WHERE workspace_id = $1', [workspace]);
    await ledger.database.query('DELETE FROM credits.ledger WHERE workspace_id = $1', [workspace]);
  });

  it('also rejects an amount above the limit in the schema', async () => {
    const entry = (kind: string, amount: number) =>
      ledger.database.query(
        `INSERT INTO credits.ledger (id, workspace_id, credit_type, kind, amount, balance_after, reference)
         VALUES (gen_random_uuid(), gen_random_uuid(), 'sms', $1, $2, 0, gen_random_uuid())`,
        [kind, amount],
      );
    for (const [kind, amount] of [
      ['topup', MAX_AMOUNT + 1],
      ['charge', -MAX_AMOUNT - 1],
      ['refund', 0],
    ] as const)
      await expect(entry(kind, amount)).rejects.toMatchObject({ constraint: 'ledger_amount_check' });
  });

  it('never has a negative balance, even through plain SQL', async () => {
    const workspace = await ledger.account(1);
    await expect(
      ledger.database.query('UPDATE credits.accounts SET balance = -1 WHERE workspace_id = $1', [workspace]),
    ).rejects.toMatchObject({ code: '23514', constraint: 'accounts_balance_check' });
  });

  it('gives the last credit to one of many concurrent charges', async () => {
    const workspace = await ledger.account(1);
    const results = await Promise.all(
      Array.from({ length: 50 }, () => post(ledger.pool, [ledger.posting(workspace, -1)])),
    );
    expect(results.filter(([result]) => result?.outcome === 'posted')).toHaveLength(1);
    expect(await balanceOf(ledger.pool, workspace, 'sms')).toBe(0);
  });
});
