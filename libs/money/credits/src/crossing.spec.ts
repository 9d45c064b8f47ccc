import { newId } from '@heliograph/database';
import { setLowThreshold } from './balances';
import { post, type LedgerPosting } from './ledger';
import { LedgerFixture } from './ledger.fixture';
import { transfer } from './movements';
import { findBrokenEntries, reconcile } from './reconcile';

const TASKS = 900;
const CALLERS = 40;

describe('concurrent charges, refunds, top-ups and transfers between the same workspaces', () => {
  let ledger: LedgerFixture;
  beforeAll(async () => {
    ledger = await LedgerFixture.start();
  });
  afterAll(() => ledger.stop());

  it('end with consistent sums, no negative balance and no error', async () => {
    // Some have many credits, some only one, and some have no account until they receive a transfer.
    const workspaces = await Promise.all([300, 300, 100, 10, 1, 1, 0, 0].map((amount) => ledger.account(amount)));
    let granted = 712;
    let charged = 0;
    let refunded = 0;
    const outcomes = { posted: 0, repeated: 0, insufficient: 0 };
    const directions = new Set<string>();
    const refundable: LedgerPosting[] = [];

    const integer = (below: number): number => Math.floor(Math.random() * below);
    const anyOf = (): string => workspaces[integer(workspaces.length)]!;
    const movement = (): LedgerPosting => {
      const charge = integer(3) === 0 ? refundable.at(-1 - integer(5)) : undefined;
      if (charge) return { ...charge, kind: 'refund', amount: -charge.amount };
      const creditType = integer(4) === 0 ? 'email' : 'sms';
      return integer(6) === 0
        ? ledger.posting(anyOf(), integer(20) + 1, { creditType })
        : ledger.posting(anyOf(), -integer(12) - 1, { creditType });
    };
    const settle = async (postings: LedgerPosting[]): Promise<void> => {
      const results = await post(ledger.pool, postings);
      postings.forEach((posting, index) => {
        const { outcome } = results[index]!;
        outcomes[outcome]++;
        if (outcome !== 'posted') return;
        if (posting.kind === 'topup') granted += posting.amount;
        if (posting.kind === 'refund') refunded += posting.amount;
        if (posting.kind !== 'charge') return;
        charged -= posting.amount;
        refundable.push(posting);
      });
    };
    const move = async (): Promise<void> => {
      const fromWorkspaceId = anyOf();
      const toWorkspaceId = anyOf();
      if (fromWorkspaceId === toWorkspaceId) return;
      const { organizationId } = ledger;
      const order = { organizationId, fromWorkspaceId, toWorkspaceId, creditType: 'sms' as const, correlationId: null };
      const { outcome } = await ledger.within((transaction) =>
        transfer(transaction, { ...order, amount: integer(40) + 1, transferId: newId() }),
      );
      outcomes[outcome]++;
      if (outcome === 'posted') directions.add(fromWorkspaceId < toWorkspaceId ? 'up' : 'down');
    };
    const watch = () =>
      ledger.within((transaction) => setLowThreshold(transaction, anyOf(), 'sms', integer(2) ? integer(50) + 1 : null));
    const task = async (index: number): Promise<void> => {
      if (index % 3 === 0) await settle([movement()]);
      else if (index % 3 === 1) await move();
      else if (index % 30 === 2) await watch();
      else await settle(Array.from({ length: 2 + integer(30) }, movement));
    };
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < TASKS) await task(next++);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));

    expect(outcomes.posted).toBeGreaterThan(TASKS / 4);
    expect(outcomes.repeated).toBeGreaterThan(0);
    expect(outcomes.insufficient).toBeGreaterThan(0);
    expect(refunded).toBeGreaterThan(0);
    expect([...directions].sort()).toEqual(['down', 'up']);
    const [sums] = await ledger.database.query<Record<string, number>>(
      `SELECT (SELECT sum(balance)::int FROM credits.accounts) AS total, min(balance_after)::int AS lowest,
         sum(amount) FILTER (WHERE kind = 'transfer')::int AS transferred, count(*)::int AS entries,
         (SELECT count(*)::int FROM messaging.outbox WHERE type <> 'credits.low') AS events
       FROM credits.ledger`,
    );
    expect(sums).toMatchObject({ total: granted - charged + refunded, transferred: 0, lowest: 0 });
    expect(sums!['events']).toBe(sums!['entries']);
    expect(await reconcile(ledger.pool)).toEqual([]);
    expect(await findBrokenEntries(ledger.pool)).toEqual([]);
  }, 60_000);
});
