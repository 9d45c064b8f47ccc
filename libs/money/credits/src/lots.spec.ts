import fc from 'fast-check';
import { traceLots, type LotEntry } from './lots';

/** An account in which every single credit is an array element with the purchase that added it. */
interface CountedAccount {
  /** Newest last. */
  spent: (string | null)[];
  /** Oldest first. */
  unspent: (string | null)[];
}

type Step =
  | { do: 'buy'; account: number; purchase: string | null; credits: number }
  | { do: 'charge' | 'refund'; account: number; credits: number }
  | { do: 'move'; account: number; to: number; credits: number }
  | { do: 'take'; account: number; purchase: string };

/** Ledger entries of steps, and the state in which each credit is counted. */
class CountedLedger {
  readonly accounts = new Map<string, CountedAccount>();
  readonly entries: LotEntry[] = [];
  private moves = 0;

  run(step: Step): void {
    const name = `w${step.account}`;
    const account = this.account(name);
    switch (step.do) {
      case 'buy':
        account.unspent.push(...Array.from({ length: step.credits }, () => step.purchase));
        this.add(name, 'topup', step.credits, step.purchase === null ? 'grant:1' : `purchase:${step.purchase}`);
        break;
      case 'charge':
        account.spent.push(...account.unspent.splice(0, step.credits));
        break;
      case 'refund':
        account.unspent.unshift(...account.spent.splice(Math.max(0, account.spent.length - step.credits)));
        break;
      case 'move':
        this.move(name, `w${step.to}`, step.credits);
        break;
      case 'take':
        this.take(name, step.purchase);
        break;
    }
  }

  unspentOf(purchase: string): Map<string, number> {
    const counts = [...this.accounts].map(([name, { unspent }]): [string, number] => [
      name,
      unspent.filter((each) => each === purchase).length,
    ]);
    return new Map(counts.filter(([, count]) => count > 0));
  }

  get balances(): Map<string, number> {
    return new Map([...this.accounts].map(([name, { unspent }]) => [name, unspent.length]));
  }

  private move(from: string, to: string, credits: number): void {
    const moved = this.account(from).unspent.splice(0, credits);
    if (from === to || moved.length === 0) {
      this.account(from).unspent.unshift(...moved);
      return;
    }
    const id = ++this.moves;
    this.add(from, 'transfer', -moved.length, `transfer:${id}:out`);
    this.account(to).unspent.push(...moved);
    this.add(to, 'transfer', moved.length, `transfer:${id}:in`);
  }

  private take(name: string, purchase: string): void {
    const account = this.account(name);
    const before = account.unspent.length;
    account.unspent = account.unspent.filter((each) => each !== purchase);
    const taken = before - account.unspent.length;
    if (taken > 0) this.add(name, 'adjustment', -taken, `purchase:${purchase}:refund:1`);
  }

  private account(name: string): CountedAccount {
    const known = this.accounts.get(name) ?? { spent: [], unspent: [] };
    this.accounts.set(name, known);
    return known;
  }

  private add(workspaceId: string, kind: LotEntry['kind'], amount: number, reference: string): void {
    const balanceAfter = this.account(workspaceId).unspent.length;
    this.entries.push({ workspaceId, kind, amount, balanceAfter, reference });
  }
}

const PURCHASES = ['p1', 'p2'];

describe('the unspent credits of a purchase', () => {
  it('are those that a ledger that counts every single credit has, whatever is charged, refunded, moved or taken', () => {
    const account = fc.nat(2);
    const credits = fc.integer({ min: 1, max: 9 });
    const purchase = fc.constantFrom(...PURCHASES);
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ do: fc.constant('buy' as const), account, purchase: fc.option(purchase), credits }),
      fc.record({ do: fc.constantFrom('charge' as const, 'refund' as const), account, credits }),
      fc.record({ do: fc.constant('move' as const), account, to: account, credits }),
      fc.record({ do: fc.constant('take' as const), account, purchase }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const ledger = new CountedLedger();
        for (const each of steps) ledger.run(each);
        for (const each of PURCHASES) {
          expect(traceLots(ledger.entries, ledger.balances, each)).toEqual(ledger.unspentOf(each));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  const bought = (balanceAfter: number): LotEntry => ({
    workspaceId: 'w1',
    kind: 'topup',
    amount: 100,
    balanceAfter,
    reference: 'purchase:p1',
  });

  it('are spent after older credits, which are not read', () => {
    expect(traceLots([bought(150)], new Map([['w1', 120]]), 'p1')).toEqual(new Map([['w1', 100]]));
    expect(traceLots([bought(150)], new Map([['w1', 80]]), 'p1')).toEqual(new Map([['w1', 80]]));
    expect(traceLots([bought(150)], new Map([['w1', 0]]), 'p1')).toEqual(new Map());
  });

  it('are followed through a chain of transfers, each of which moves the oldest credits', () => {
    const move = (id: number, from: string, to: string, amount: number, fromAfter: number, toAfter: number) => [
      {
        workspaceId: from,
        kind: 'transfer' as const,
        amount: -amount,
        balanceAfter: fromAfter,
        reference: `transfer:${id}:out`,
      },
      {
        workspaceId: to,
        kind: 'transfer' as const,
        amount,
        balanceAfter: toAfter,
        reference: `transfer:${id}:in`,
      },
    ];
    const entries = [bought(150), ...move(1, 'w1', 'w2', 90, 60, 95), ...move(2, 'w2', 'w3', 30, 65, 30)];
    const balances = new Map([
      ['w1', 60],
      ['w2', 65],
      ['w3', 30],
    ]);
    // 50 older credits moved first to w2, which had 5 of its own: w3 got 5 + 25 of these.
    expect(traceLots(entries, balances, 'p1')).toEqual(
      new Map([
        ['w1', 60],
        ['w2', 40],
      ]),
    );
  });
});
