/** What a waiting row and the contacts that it concerns have in common: addresses. */
export interface WaitingRow {
  row: number;
  emailKey: string;
  phone: string | null;
}

export interface Holder {
  emailKey: string | null;
  phone: string | null;
}

/**
 * The order in which waiting rows are imported, as groups of row numbers. The rows of a group exchange their numbers with each
 * other and are imported at once. A row whose number another contact holds until the end is a group of its own, which the import
 * refuses. Rows of the same email address keep their order. A row in an exchange of more than `maxGroup` contacts is refused.
 */
export function orderWaiting(rows: readonly WaitingRow[], holders: readonly Holder[], maxGroup: number): number[][] {
  return new WaitingOrder(rows, holders, maxGroup).groups();
}

class WaitingOrder {
  private readonly order: number[][] = [];
  /** The rows that are left, by email address. */
  private readonly queues = new Map<string, WaitingRow[]>();
  /** The email addresses of contacts. */
  private readonly known = new Set<string>();
  private readonly numbers = new Map<string, string>();
  /** The email address of the contact with the number; null for a contact without one. */
  private readonly holders = new Map<string, string | null>();
  /** The email addresses whose first row waits for the number. */
  private readonly waitingFor = new Map<string, Set<string>>();

  constructor(
    rows: readonly WaitingRow[],
    holders: readonly Holder[],
    private readonly maxGroup: number,
  ) {
    for (const row of [...rows].reverse()) {
      const queue = this.queues.get(row.emailKey) ?? [];
      // The first row is the last element, which is removed at no cost.
      queue.push(row);
      this.queues.set(row.emailKey, queue);
    }
    for (const { emailKey, phone } of holders) {
      if (emailKey !== null) this.known.add(emailKey);
      if (phone === null) continue;
      this.holders.set(phone, emailKey);
      if (emailKey !== null) this.numbers.set(emailKey, phone);
    }
  }

  groups(): number[][] {
    let blocked = this.importFree(this.emails());
    while (this.queues.size > 0) {
      const exchanged = this.exchange(blocked);
      blocked = this.importFree(exchanged.length > 0 ? exchanged : this.refuseFirst());
    }
    return this.order;
  }

  /** Sorted by the first row. */
  private emails(): string[] {
    const heads = [...this.queues.values()].flatMap((queue) => queue.at(-1) ?? []);
    return heads.sort((one, other) => one.row - other.row).map(({ emailKey }) => emailKey);
  }

  /**
   * Imports the rows whose number is free, and the rows that wait for a number that this makes free. Returns the email addresses
   * whose first row cannot be imported.
   */
  private importFree(emails: readonly string[]): string[] {
    const blocked: string[] = [];
    const ready = [...emails].reverse();
    for (let email = ready.pop(); email !== undefined; email = ready.pop()) {
      const row = this.first(email);
      if (!row) continue;
      if (row.phone !== null && !this.isFree(row.phone, email)) {
        const waiting = this.waitingFor.get(row.phone) ?? new Set();
        this.waitingFor.set(row.phone, waiting.add(email));
        blocked.push(email);
        continue;
      }
      this.order.push([row.row]);
      const released = this.import(row);
      ready.push(email);
      const [next] = (released !== null && this.waitingFor.get(released)) || [];
      if (next !== undefined) ready.push(next);
    }
    return blocked;
  }

  /** Imports the rows of contacts that exchange their numbers. Returns the email addresses of these contacts. */
  private exchange(blocked: readonly string[]): string[] {
    const exchanged: string[] = [];
    const seen = new Set<string>();
    for (const start of blocked) {
      const path: string[] = [];
      let email: string | null | undefined = start;
      while (email !== null && email !== undefined && !seen.has(email)) {
        seen.add(email);
        path.push(email);
        const phone: string | null | undefined = this.first(email)?.phone;
        email = phone === null || phone === undefined ? null : this.holders.get(phone);
      }
      const from = email === null || email === undefined ? -1 : path.indexOf(email);
      if (from < 0) continue;
      const members = path.slice(from);
      const rows = members.flatMap((member) => this.first(member) ?? []);
      if (rows.length > this.maxGroup) this.order.push(...rows.map(({ row }) => [row]));
      else this.order.push(rows.map(({ row }) => row).sort((one, other) => one - other));
      for (const row of rows) {
        if (rows.length > this.maxGroup) this.remove(row);
        else this.import(row);
      }
      exchanged.push(...members);
    }
    return exchanged;
  }

  /** Refuses the first row of every email address: its number is not released. */
  private refuseFirst(): string[] {
    const emails = this.emails();
    for (const email of emails) {
      const row = this.first(email);
      if (!row) continue;
      this.order.push([row.row]);
      this.remove(row);
    }
    return emails;
  }

  private first(email: string): WaitingRow | undefined {
    return this.queues.get(email)?.at(-1);
  }

  /** A contact without an email address gets that of the row, unless another contact has it. */
  private isFree(phone: string, email: string): boolean {
    const holder = this.holders.get(phone);
    return holder === undefined || holder === email || (holder === null && !this.known.has(email));
  }

  /** Returns the number that is free now. */
  private import(row: WaitingRow): string | null {
    this.remove(row);
    this.known.add(row.emailKey);
    if (row.phone === null) return null;
    const before = this.numbers.get(row.emailKey) ?? null;
    this.numbers.set(row.emailKey, row.phone);
    this.holders.set(row.phone, row.emailKey);
    if (before === null || before === row.phone || this.holders.get(before) !== row.emailKey) return null;
    this.holders.delete(before);
    return before;
  }

  private remove({ emailKey, phone }: WaitingRow): void {
    const queue = this.queues.get(emailKey);
    queue?.pop();
    if (queue?.length === 0) this.queues.delete(emailKey);
    if (phone !== null) this.waitingFor.get(phone)?.delete(emailKey);
  }
}
