import type { CreditType } from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { ClientBase, Pool } from 'pg';
import type { LedgerKind } from './ledger';

const EXPORT_BATCH = 1_000;

export interface LedgerEntryRow {
  id: string;
  workspaceId: string;
  creditType: CreditType;
  kind: LedgerKind;
  amount: number;
  balanceAfter: number;
  reference: string;
  createdAt: Date;
}

export interface LedgerFilter {
  creditType?: CreditType;
  kind?: LedgerKind;
  /** Only entries at or after this time. */
  from?: Date;
  /** Only entries before this time. */
  to?: Date;
  reference?: string;
}

export interface LedgerPage {
  items: LedgerEntryRow[];
  /** Pass it as `after` for the next page; null on the last page. */
  next: string | null;
}

/** Position of an entry in the list. Ids do not sort by time, because SQL functions generate random ids. */
interface Place {
  /** Time in microseconds, which a Date cannot represent. */
  at: string;
  position: number;
}

/**
 * Ledger entries of workspaces, newest first; `after` is the `next` value of the previous page. Throws
 * VALIDATION_ERROR for an invalid cursor.
 */
export async function listEntries(
  database: ClientBase | Pool,
  workspaceIds: readonly string[],
  filter: LedgerFilter,
  page: { limit: number; after: string | null },
): Promise<LedgerPage> {
  const place = page.after === null ? null : await placeOf(database, workspaceIds, page.after);
  const rows = await select(database, workspaceIds, filter, place, page.limit + 1);
  const items = rows.slice(0, page.limit).map(entryOf);
  return { items, next: rows.length > items.length ? (items.at(-1)?.id ?? null) : null };
}

/**
 * All ledger entries of a workspace that exist at the start, newest first, in batches and without duplicates; `after` is the
 * id of an entry, to continue behind it. No connection is held between batches, regardless of how slowly they are consumed.
 */
export async function* exportEntries(
  database: Pool,
  workspaceId: string,
  filter: LedgerFilter,
  after: string | null = null,
): AsyncGenerator<LedgerEntryRow[]> {
  let place = after === null ? null : await placeOf(database, [workspaceId], after);
  for (;;) {
    const rows: (LedgerEntryRow & Place)[] = await select(database, [workspaceId], filter, place, EXPORT_BATCH);
    if (rows.length > 0) yield rows.map(entryOf);
    place = rows.at(-1) ?? null;
    if (rows.length < EXPORT_BATCH) return;
  }
}

async function placeOf(database: ClientBase | Pool, workspaceIds: readonly string[], id: string): Promise<Place> {
  const { rows } = isId(id)
    ? await database.query<Place>(
        'SELECT created_at::text AS at, position FROM credits.ledger WHERE id = $1 AND workspace_id = ANY ($2)',
        [id, workspaceIds],
      )
    : { rows: [] };
  if (rows[0]) return rows[0];
  throw new AppError('VALIDATION_ERROR', 'cursor: must be the cursor of an earlier response.');
}

function entryOf({ at: _at, position: _position, ...entry }: LedgerEntryRow & Place): LedgerEntryRow {
  return entry;
}

/** Reads each workspace by its index, so that a list of many workspaces reads no more than a page of each. */
async function select(
  database: ClientBase | Pool,
  workspaceIds: readonly string[],
  filter: LedgerFilter,
  after: Place | null,
  limit: number,
): Promise<(LedgerEntryRow & Place)[]> {
  const values: unknown[] = [workspaceIds];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['workspace_id = w.id'];
  if (filter.creditType !== undefined) conditions.push(`credit_type = ${given(filter.creditType)}`);
  if (filter.kind !== undefined) conditions.push(`kind = ${given(filter.kind)}`);
  if (filter.from !== undefined) conditions.push(`created_at >= ${given(filter.from)}`);
  if (filter.to !== undefined) conditions.push(`created_at < ${given(filter.to)}`);
  if (filter.reference !== undefined) conditions.push(`reference = ${given(filter.reference)}`);
  if (after !== null) conditions.push(`(created_at, position) < (${given(after.at)}, ${given(after.position)})`);
  const newest = `ORDER BY created_at DESC, position DESC LIMIT ${given(limit)}`;
  const { rows } = await database.query<LedgerEntryRow & Place>(
    `SELECT l.id, workspace_id AS "workspaceId", credit_type AS "creditType", kind, amount, balance_after AS "balanceAfter",
       reference, created_at AS "createdAt", created_at::text AS at, position
     FROM unnest($1::uuid[]) AS w (id)
     CROSS JOIN LATERAL (SELECT * FROM credits.ledger WHERE ${conditions.join(' AND ')} ${newest}) AS l ${newest}`,
    values,
  );
  return rows;
}
