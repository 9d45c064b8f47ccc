import { firstIdOf } from '@heliograph/database';
import type { Pool } from 'pg';

const BATCH = 2_000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Deletes entries of all organizations in batches. `until` ends the deletion early. */
export async function deleteEntriesBefore(pool: Pool, oldest: Date, until: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !until.aborted;) {
    const { rowCount } = await pool.query(
      `DELETE FROM audit.entries WHERE id = ANY (ARRAY(
         SELECT id FROM audit.entries WHERE id < $1 ORDER BY id LIMIT ${BATCH}))`,
      [firstIdOf(oldest)],
    );
    deleted = rowCount ?? 0;
  }
}

/** Removes an address from the entries of an organization; who did what and when remains. */
export async function eraseFromAuditLog(
  pool: Pool,
  { organizationId, value, mask }: { organizationId: string; value: string; mask: string },
): Promise<void> {
  for (let after = NIL; ;) {
    const { rows } = await pool.query<{ last: string | null }>(
      `WITH range AS (
         SELECT id, target_id, before, after FROM audit.entries
         WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH}
       ), erased AS (
         UPDATE audit.entries AS e
         SET before = NULL, after = NULL, target_id = CASE WHEN lower(e.target_id) = $3 THEN $4 ELSE e.target_id END
         FROM range AS r
         WHERE e.id = r.id AND (lower(r.target_id) = $3 OR EXISTS (
           SELECT FROM jsonb_path_query(jsonb_build_array(r.before, r.after), 'strict $.** ? (@.type() == "string")') AS text
           WHERE lower(text #>> '{}') = $3))
       )
       SELECT (SELECT id FROM range ORDER BY id DESC LIMIT 1) AS last`,
      [organizationId, after, value, mask],
    );
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    after = last;
  }
}
