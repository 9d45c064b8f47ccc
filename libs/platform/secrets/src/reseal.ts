import type { Pool } from 'pg';
import type { KeyRing } from './key-ring';
import type { SealedColumn } from './sealed-column';

const BATCH = 200;

/**
 * Seals all values of the column with the current key, in batches that commit one by one, so that it can be
 * interrupted and repeated. Values that change in the meantime are skipped, because their writer sealed them with its
 * current key. Returns the number of changed rows.
 */
export async function reseal(pool: Pool, keys: KeyRing, sealed: SealedColumn): Promise<number> {
  const { table, column } = sealed;
  let changed = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<{ id: string; value: string }>(
      `SELECT id, ${column} AS value FROM ${table} WHERE id > $1 AND NOT starts_with(${column}, $2) ORDER BY id LIMIT $3`,
      [after, `${keys.currentId}.`, BATCH],
    );
    const last = rows.at(-1);
    if (!last) return changed;
    after = last.id;
    const values = rows.map(({ id, value }) => sealed.seal(keys, id, sealed.open(keys, id, value)));
    const { rowCount } = await pool.query(
      `UPDATE ${table} AS t SET ${column} = n.new FROM unnest($1::uuid[], $2::text[], $3::text[]) AS n(id, old, new)
       WHERE t.id = n.id AND t.${column} = n.old`,
      [rows.map(({ id }) => id), rows.map(({ value }) => value), values],
    );
    changed += rowCount ?? 0;
  }
}
