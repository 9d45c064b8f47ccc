import { newId } from '@heliograph/database';
import { MAX_AMOUNT } from './amounts';
import { balanceOf } from './balances';
import { LedgerFixture } from './ledger.fixture';
import { adjust, topUp, transfer, type Movement, type Transfer } from './movements';

let ledger: LedgerFixture;
beforeAll(async () => {
  ledger = await LedgerFixture.start();
});
afterAll(() => ledger.stop());

const movement = (workspaceId: string, amount: number, more: Partial<Movement> = {}): Movement => ({
  organizationId: ledger.organizationId,
  workspaceId,
  creditType: 'sms',
  amount,
  reference: `test:${newId()}`,
  correlationId: null,
  ...more,
});
const balance = (workspaceId: string) => balanceOf(ledger.pool, workspaceId, 'sms');

describe('a top-up', () => {
  it('adds credits once per reference', async () => {
    const purchase = movement(newId(), 5);
    expect(await topUp(ledger.pool, purchase)).toEqual({ outcome: 'posted', balance: 5 });
    expect(await topUp(ledger.pool, purchase)).toEqual({ outcome: 'repeated', balance: 5 });
    expect(await ledger.entries(purchase.workspaceId)).toMatchObject([{ kind: 'topup', amount: '5' }]);
  });

  it.each([0, -1, 0.5, NaN, MAX_AMOUNT + 1])('of %d is rejected', async (amount) => {
    const workspace = newId();
    await expect(topUp(ledger.pool, movement(workspace, amount))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await ledger.entries(workspace)).toEqual([]);
  });
});

describe('an adjustment', () => {
  it('increases or decreases the balance, once per reference, and never below 0', async () => {
    const workspace = await ledger.account(10);
    const down = movement(workspace, -4);
    expect(await adjust(ledger.pool, down)).toEqual({ outcome: 'posted', balance: 6 });
    expect(await adjust(ledger.pool, down)).toEqual({ outcome: 'repeated', balance: 6 });
    expect(await adjust(ledger.pool, movement(workspace, -7))).toEqual({ outcome: 'insufficient', balance: 6 });
    expect(await adjust(ledger.pool, movement(workspace, 1))).toEqual({ outcome: 'posted', balance: 7 });
    expect((await ledger.entries(workspace)).map(({ kind }) => kind)).toEqual(['topup', 'adjustment', 'adjustment']);
  });

  it.each([0, 0.5, Infinity])('of %d is rejected', async (amount) => {
    const workspace = await ledger.account(10);
    await expect(adjust(ledger.pool, movement(workspace, amount))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('a transfer', () => {
  const order = (fromWorkspaceId: string, toWorkspaceId: string, amount: number): Transfer => ({
    organizationId: ledger.organizationId,
    fromWorkspaceId,
    toWorkspaceId,
    creditType: 'sms',
    amount,
    transferId: newId(),
    correlationId: 'the call',
  });
  const send = (one: Transfer) => ledger.within((transaction) => transfer(transaction, one));

  it('moves credits with an entry and an event in both workspaces', async () => {
    const from = await ledger.account(10);
    const to = newId();
    const one = order(from, to, 4);
    expect(await send(one)).toEqual({ outcome: 'posted', fromBalance: 6, toBalance: 4 });
    expect([await balance(from), await balance(to)]).toEqual([6, 4]);
    const [, paid] = await ledger.entries(from);
    expect(paid).toMatchObject({ kind: 'transfer', amount: '-4', reference: `transfer:${one.transferId}:out` });
    expect(await ledger.entries(to)).toMatchObject([
      { kind: 'transfer', amount: '4', reference: `transfer:${one.transferId}:in` },
    ]);
    for (const workspace of [from, to]) {
      expect(await ledger.events(workspace)).toMatchObject([
        { type: 'credits.transferred', payload: { correlationId: 'the call' } },
      ]);
    }
  });

  it('is executed once per reference', async () => {
    const one = order(await ledger.account(10), await ledger.account(1), 4);
    await send(one);
    expect(await send(one)).toEqual({ outcome: 'repeated', fromBalance: 6, toBalance: 5 });
    expect([await balance(one.fromWorkspaceId), await balance(one.toWorkspaceId)]).toEqual([6, 5]);
  });

  it('is executed once per reference, even if the credits have been spent in the meantime', async () => {
    const one = order(await ledger.account(4), await ledger.account(1), 4);
    await send(one);
    expect((await send(one)).outcome).toBe('repeated');
  });

  it.each(['the lower id pays', 'the higher id pays'])(
    'changes nothing without sufficient credits, and keeps the transaction usable: %s',
    async (which) => {
      const ids = [await ledger.account(3), await ledger.account(3)].sort();
      const [from, to] = which === 'the lower id pays' ? ids : ids.toReversed();
      const answer = await ledger.within(async (transaction) => {
        const result = await transfer(transaction, order(from!, to!, 4));
        await transfer(transaction, order(from!, to!, 1));
        return result;
      });
      expect(answer).toEqual({ outcome: 'insufficient', fromBalance: 3, toBalance: 3 });
      expect([await balance(from!), await balance(to!)]).toEqual([2, 4]);
      expect((await ledger.entries(to!)).map(({ amount }) => amount)).toEqual(['3', '1']);
      expect(await ledger.events(to!)).toHaveLength(1);
    },
  );

  it('is rejected if the source never had credits', async () => {
    expect(await send(order(newId(), newId(), 1))).toEqual({ outcome: 'insufficient', fromBalance: 0, toBalance: 0 });
  });

  it('moves nothing when its transaction is rolled back', async () => {
    const one = order(await ledger.account(10), newId(), 4);
    const work = ledger.within(async (transaction) => {
      await transfer(transaction, one);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect([await balance(one.fromWorkspaceId), await balance(one.toWorkspaceId)]).toEqual([10, 0]);
  });

  it('requires another workspace as its target', async () => {
    const workspace = await ledger.account(10);
    await expect(send(order(workspace, workspace, 1))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await ledger.entries(workspace)).toHaveLength(1);
  });

  it.each([0, -1, 0.5, NaN, MAX_AMOUNT + 1])('of %d is rejected', async (amount) => {
    const one = order(await ledger.account(10), await ledger.account(10), amount);
    await expect(send(one)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect([await balance(one.fromWorkspaceId), await balance(one.toWorkspaceId)]).toEqual([10, 10]);
  });

  it('is rejected outside a transaction, where only one side could be committed', async () => {
    const one = order(await ledger.account(10), newId(), 4);
    const client = await ledger.pool.connect();
    await expect(transfer(client, one)).rejects.toMatchObject({ code: '25P01' });
    client.release();
    expect(await balance(one.fromWorkspaceId)).toBe(10);
  });
});
