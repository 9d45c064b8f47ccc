/**
 * Returns a query of the ids of the oldest waiting job of each organization. It reads a few index entries for each organization,
 * however many jobs wait, if `table` has an index on (organization_id, `age`) for the waiting jobs.
 * @param isWaiting condition on the columns of the table
 * @param age column by which jobs are sorted
 */
export function oldestOfEachOrganization(table: string, isWaiting: string, age: string): string {
  return `
    WITH RECURSIVE organizations AS (
      (SELECT organization_id FROM ${table} WHERE ${isWaiting} ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT organization_id FROM ${table} WHERE ${isWaiting} AND organization_id > o.organization_id
        ORDER BY organization_id LIMIT 1)
      FROM organizations AS o WHERE o.organization_id IS NOT NULL)
    SELECT oldest.id FROM organizations AS o
    CROSS JOIN LATERAL (
      SELECT id FROM ${table} WHERE ${isWaiting} AND organization_id = o.organization_id ORDER BY ${age} LIMIT 1) AS oldest`;
}
