import { until, type TestDatabase } from '@heliograph/testing';

/**
 * Ends the lease of a report until another run has taken it over. A heartbeat of the current run, which fails at about the
 * same time, can extend the lease once more.
 */
export async function endLease(database: TestDatabase, reportId: string): Promise<void> {
  const [current] = await database.query<{ runId: string }>(
    'SELECT run_id AS "runId" FROM analytics.reports WHERE id = $1',
    [reportId],
  );
  await until('another run has taken the report over', async () => {
    const rows = await database.query(
      `UPDATE analytics.reports SET lease_until = now() - interval '1 second'
       WHERE id = $1 AND run_id = $2 AND status = 'running' RETURNING id`,
      [reportId, current!.runId],
    );
    return rows.length === 0;
  });
}
