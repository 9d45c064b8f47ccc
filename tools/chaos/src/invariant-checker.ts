import type { Client } from 'pg';

const MAX_SHOWN = 10;

/** Collects the violations of invariants after a run. */
export class InvariantChecker {
  readonly violations: string[] = [];

  constructor(readonly database: Client) {}

  /** Adds violations; of more than `limit`, the first ones and a count. */
  add(violations: readonly string[], limit = MAX_SHOWN): void {
    this.violations.push(...violations.slice(0, limit));
    if (violations.length > limit) this.violations.push(`and ${violations.length - limit} more`);
  }

  /** Requires that a query returns no row. */
  async noRows(violation: string, sql: string, values: unknown[] = []): Promise<void> {
    const { rows } = await this.database.query<Record<string, unknown>>(sql, values);
    if (rows.length > 0) this.add([`${violation}: ${rows.length}, such as ${JSON.stringify(rows[0])}`]);
  }

  /** Requires that two lists have the same entries, each equally often. */
  sameEntries(subject: string, expected: readonly string[], actual: readonly string[]): void {
    const counts = new Map<string, number>();
    for (const entry of expected) counts.set(entry, (counts.get(entry) ?? 0) + 1);
    for (const entry of actual) counts.set(entry, (counts.get(entry) ?? 0) - 1);
    const wrong = [...counts].filter(([, count]) => count !== 0);
    if (wrong.length === 0) return;
    const shown = wrong
      .slice(0, 3)
      .map(([entry, count]) => `${entry} (${Math.abs(count)} ${count > 0 ? 'missing' : 'unexpected'})`);
    this.add([`${subject} differ in ${wrong.length} entries, such as ${shown.join(', ')}`]);
  }

  /** Reads the first column of a query. */
  async column(sql: string, values: unknown[] = []): Promise<string[]> {
    const { rows } = await this.database.query<unknown[]>({ text: sql, values, rowMode: 'array' });
    return rows.map(([value]) => String(value));
  }
}
