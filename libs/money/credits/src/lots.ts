/** Credits of one origin in an account: the id of the purchase that added them, or null. */
export interface Lot {
  purchaseId: string | null;
  credits: number;
}

/** A ledger entry of an account that adds credits, or moves or takes credits of known lots. */
export interface LotEntry {
  workspaceId: string;
  kind: 'topup' | 'transfer' | 'adjustment';
  amount: number;
  balanceAfter: number;
  reference: string;
}

/**
 * The lots that have entered an account and have not been moved or taken away, oldest first, spent ones included.
 * Charges spend the oldest lots, and refunds of charges return what was spent last, so the unspent lots are always the
 * newest ones, as many as the balance: charges and refunds themselves need not be read.
 */
type Line = Lot[];

/**
 * Returns the unspent credits of a purchase in each workspace. `entries`: top-ups, transfers and adjustments of all
 * accounts of the organization, from the top-up of the purchase on, in the order of posting. Older credits have no
 * origin. A transfer moves the oldest unspent lots. An adjustment about a purchase takes its own credits, or adds to
 * them; any other negative adjustment spends the oldest lots.
 */
export function traceLots(
  entries: readonly LotEntry[],
  balances: ReadonlyMap<string, number>,
  purchaseId: string,
): Map<string, number> {
  const lines = new Map<string, Line>();
  const moving = new Map<string, Lot[]>();
  for (const { workspaceId, kind, amount, balanceAfter, reference } of entries) {
    const line = lines.get(workspaceId) ?? [];
    lines.set(workspaceId, line);
    const own = purchaseOf(reference);
    if (kind === 'transfer') {
      const id = reference.split(':')[1] ?? reference;
      if (amount < 0) moving.set(id, takeOut(line, balanceAfter - amount, -amount, null));
      else line.push(...(moving.get(id) ?? [{ purchaseId: null, credits: amount }]));
    } else if (amount > 0) {
      line.push({ purchaseId: own, credits: amount });
    } else if (own !== null) {
      takeOut(line, balanceAfter - amount, -amount, own);
    }
  }
  const found = new Map<string, number>();
  for (const [workspaceId, line] of lines) {
    const { unspent } = split(line, balances.get(workspaceId) ?? 0);
    const credits = sum(unspent.filter((lot) => lot.purchaseId === purchaseId));
    if (credits > 0) found.set(workspaceId, credits);
  }
  return found;
}

/** The purchase that an entry is about: `purchase:<id>` adds its credits, `purchase:<id>:…` corrects them. */
function purchaseOf(reference: string): string | null {
  const [what, id] = reference.split(':');
  return what === 'purchase' && id !== undefined ? id : null;
}

/** Separates the spent lots from the unspent ones. Unspent credits that are older than all lots have no origin. */
function split(line: readonly Lot[], balance: number): { spent: Lot[]; unspent: Lot[] } {
  const unspent: Lot[] = [];
  const spent = [...line];
  let missing = balance;
  while (missing > 0) {
    const lot = spent.pop() ?? { purchaseId: null, credits: missing };
    const credits = Math.min(lot.credits, missing);
    unspent.unshift({ ...lot, credits });
    if (credits < lot.credits) spent.push({ ...lot, credits: lot.credits - credits });
    missing -= credits;
  }
  return { spent, unspent };
}

/**
 * Removes credits from the unspent lots of a line, first those of the preferred purchase, then the oldest, and returns
 * them.
 */
function takeOut(line: Line, balance: number, amount: number, preferred: string | null): Lot[] {
  const { spent, unspent } = split(line, balance);
  const taken: Lot[] = [];
  let missing = amount;
  const take = (lot: Lot) => {
    const credits = Math.min(lot.credits, missing);
    if (credits === 0) return;
    taken.push({ ...lot, credits });
    lot.credits -= credits;
    missing -= credits;
  };
  if (preferred !== null) for (const lot of unspent) if (lot.purchaseId === preferred) take(lot);
  for (const lot of unspent) take(lot);
  line.splice(0, line.length, ...spent, ...unspent.filter(({ credits }) => credits > 0));
  return taken;
}

function sum(lots: readonly Lot[]): number {
  return lots.reduce((total, { credits }) => total + credits, 0);
}
