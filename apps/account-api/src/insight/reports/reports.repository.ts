import { Injectable } from '@nestjs/common';
import { clientOf, isId, newId, toPage, type Page, type PageOf } from '@heliograph/database';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Report } from './report';

const COLUMNS = `id, organization_id AS "organizationId", workspace_id AS "workspaceId", type, format, filters, since, before,
  status, rows::float8 AS rows, bytes::float8 AS bytes,
  CASE WHEN error IS NULL THEN NULL ELSE json_build_object('code', coalesce(error_code, 'INTERNAL_ERROR'), 'message', error) END AS error,
  attempts, progress, created_at AS "createdAt",
  finished_at AS "finishedAt"`;

export type NewReport = Pick<
  Report,
  'organizationId' | 'workspaceId' | 'type' | 'format' | 'filters' | 'since' | 'before'
>;

/** Stores reports and their progress. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly pool: Pool) {}

  async create(transaction: EntityManager, report: NewReport): Promise<Report> {
    const { organizationId, workspaceId, type, format, filters, since, before } = report;
    const client = await clientOf(transaction);
    const { rows } = await client.query<Report>(
      `INSERT INTO analytics.reports (id, organization_id, workspace_id, type, format, filters, since, before)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
      [newId(), organizationId, workspaceId, type, format, JSON.stringify(filters), since, before],
    );
    const [created] = rows;
    if (!created) throw new Error('the report is not stored');
    return created;
  }

  /** Finds a report of the caller. Returns null for reports of other organizations and, for a bound key, of other workspaces. */
  async find(organizationId: string, workspaceId: string | null, id: string): Promise<Report | null> {
    if (!isId(id)) return null;
    const { rows } = await this.pool.query<Report>(
      `SELECT ${COLUMNS} FROM analytics.reports
       WHERE id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)`,
      [id, organizationId, workspaceId],
    );
    return rows[0] ?? null;
  }

  /** Finds the completed report of a download across tenants. The signature of the link authorizes the access. */
  async completedAcrossTenants(id: string): Promise<Report | null> {
    if (!isId(id)) return null;
    const { rows } = await this.pool.query<Report>(
      `SELECT ${COLUMNS} FROM analytics.reports WHERE id = $1 AND status = 'completed'`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Returns reports sorted by creation time, newest first. */
  async list(organizationId: string, workspaceId: string | null, page: Page): Promise<PageOf<Report>> {
    const { rows } = await this.pool.query<Report>(
      `SELECT ${COLUMNS} FROM analytics.reports
       WHERE organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND ($3::uuid IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $4`,
      [organizationId, workspaceId, page.after, page.limit + 1],
    );
    return toPage(rows, page, ({ id }) => id);
  }

  /** Returns the number of reports that are not finished. */
  async unfinished(transaction: EntityManager, organizationId: string): Promise<number> {
    const client = await clientOf(transaction);
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM analytics.reports
       WHERE organization_id = $1 AND status IN ('queued', 'running')`,
      [organizationId],
    );
    return rows[0]?.count ?? 0;
  }
}
