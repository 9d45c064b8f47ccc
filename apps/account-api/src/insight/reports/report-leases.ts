import { Injectable } from '@nestjs/common';
import { inTransaction, newId, oldestOfEachOrganization } from '@heliograph/database';
import type { ClaimRequest, FairJob } from '@heliograph/fairness';
import { queryQuietly } from '@heliograph/messaging';
import { Pool } from 'pg';
import type { Report, ReportError, ReportProgress } from './report';

const LEASE = '60 seconds';
export const HEARTBEAT_MS = 15_000;
const MOST_PER_ORGANIZATION = 3;
const MAX_ATTEMPTS = 5;
const FAILED: ReportError = {
  code: 'INTERNAL_ERROR',
  message: 'The report could not be written. Try again later.',
};

const WAITING = `status IN ('queued', 'running') AND (lease_until IS NULL OR lease_until < now())`;
/**
 * The waiting reports that may be leased, in the order of the leases: the oldest report of each organization that has fewer than
 * three running reports.
 */
const CLAIMABLE = `
  SELECT r.id FROM (${oldestOfEachOrganization('analytics.reports', WAITING, 'id')}) AS oldest
  JOIN analytics.reports AS r USING (id)
  WHERE NOT ($2 AND r.organization_id = ANY ($1))
    AND (SELECT count(*) FROM analytics.reports AS o
         WHERE o.organization_id = r.organization_id AND o.status = 'running' AND o.lease_until >= now())
      < ${MOST_PER_ORGANIZATION}
  ORDER BY r.organization_id = ANY ($1), r.id LIMIT 1`;

/** A report that is leased to this process. */
export interface LeasedReport extends FairJob {
  report: Report;
  runId: string;
}

/** Leases reports to one process at a time. A lease without a heartbeat expires, and another process writes the report. */
@Injectable()
export class ReportLeases {
  constructor(private readonly pool: Pool) {}

  /**
   * Leases the oldest report of an organization that `request` prefers and that has fewer than three running reports; null if there
   * is no such report. If the process crashed during the last allowed attempt, the report is marked as failed.
   */
  async claimAcrossTenants(request: ClaimRequest): Promise<LeasedReport | null> {
    const preference = [request.held, request.onlyOthers];
    // Cheaper than the transaction.
    if ((await queryQuietly(this.pool, CLAIMABLE, preference)).length === 0) return null;
    const runId = newId();
    return inTransaction(this.pool, async (client) => {
      // The lock prevents two processes from counting the running reports at the same time and starting a fourth report.
      await client.query(`SELECT pg_advisory_xact_lock(hashtext('analytics.reports'))`);
      await client.query(
        `UPDATE analytics.reports SET status = 'failed', error_code = $1, error = $2, finished_at = now(), lease_until = NULL
         WHERE status = 'running' AND lease_until < now() AND attempts >= ${MAX_ATTEMPTS}`,
        [FAILED.code, FAILED.message],
      );
      const { rows } = await client.query<Report>(
        `UPDATE analytics.reports SET status = 'running', run_id = $3, attempts = attempts + 1,
           lease_until = now() + interval '${LEASE}', rows = coalesce((progress ->> 'rows')::bigint, 0),
           started_at = CASE WHEN progress IS NULL THEN now() ELSE started_at END
         WHERE id = (${CLAIMABLE})
         RETURNING id, organization_id AS "organizationId", workspace_id AS "workspaceId", type, format, filters, since,
           before, status, rows::float8 AS rows, bytes, NULL AS error, attempts, progress, created_at AS "createdAt",
           finished_at AS "finishedAt"`,
        [...preference, runId],
      );
      const [report] = rows;
      return report ? { id: report.id, organizationId: report.organizationId, report, runId } : null;
    });
  }

  /** Extends a lease and shows the written rows. False if the lease was lost. */
  async extendLease({ report, runId }: LeasedReport, written: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE analytics.reports SET lease_until = now() + interval '${LEASE}', rows = $3
       WHERE id = $1 AND run_id = $2 AND status = 'running'`,
      [report.id, runId, written],
    );
    return rowCount === 1;
  }

  /** Stores from where another process can continue. Attempts count from here. False if the lease was lost. */
  async checkpoint({ report, runId }: LeasedReport, progress: ReportProgress): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE analytics.reports SET lease_until = now() + interval '${LEASE}', progress = $3, rows = $4, attempts = 1
       WHERE id = $1 AND run_id = $2 AND status = 'running'`,
      [report.id, runId, JSON.stringify(progress), progress.rows],
    );
    return rowCount === 1;
  }

  /** False if the lease was lost. */
  async complete({ report, runId }: LeasedReport, rows: number, bytes: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE analytics.reports SET status = 'completed', rows = $3, bytes = $4, finished_at = now(), lease_until = NULL,
         progress = NULL
       WHERE id = $1 AND run_id = $2 AND status = 'running'`,
      [report.id, runId, rows, bytes],
    );
    return rowCount === 1;
  }

  /** Returns the report to the queue when this process stops. The run does not count as an attempt. */
  async release({ report, runId }: LeasedReport): Promise<void> {
    await this.pool.query(
      `UPDATE analytics.reports SET status = 'queued', lease_until = NULL, attempts = greatest(0, attempts - 1),
         rows = coalesce((progress ->> 'rows')::bigint, 0)
       WHERE id = $1 AND run_id = $2 AND status = 'running'`,
      [report.id, runId],
    );
  }

  /** The report is continued when its lease ends, or has failed after the last attempt. */
  async fail({ report, runId }: LeasedReport): Promise<void> {
    await this.pool.query(
      `UPDATE analytics.reports SET status = 'failed', error_code = $3, error = $4, finished_at = now(),
         lease_until = NULL
       WHERE id = $1 AND run_id = $2 AND status = 'running' AND attempts >= ${MAX_ATTEMPTS}`,
      [report.id, runId, FAILED.code, FAILED.message],
    );
  }
}
