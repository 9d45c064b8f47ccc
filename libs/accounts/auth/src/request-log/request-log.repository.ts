import { Injectable } from '@nestjs/common';
import { firstIdOf, isId, timeOfId, toPage, type Page, type PageOf } from '@heliograph/database';
import { Pool } from 'pg';
import type { LoggedRequest } from './logged-request';

/** Calls are listed for this time. A partition is dropped when all of its calls are older. */
export const REQUEST_LOG_DAYS = 30;
const DAY_MS = 86_400_000;
/** Calls that one page examines, so that a filter with few matches has a bounded cost. */
const MAX_EXAMINED = 20_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Conditions of a list. Null: every value. */
export interface RequestFilter {
  requestId: string | null;
  keyId: string | null;
  workspaceId: string | null;
  method: string | null;
  /** The beginning of the path. */
  path: string | null;
  status: number | null;
  error: string | null;
  /** `true`: only calls with an error; `false`: only calls without one. */
  hasError: boolean | null;
  from: Date | null;
  until: Date | null;
}

const COLUMNS = `id, organization_id AS "organizationId", workspace_id AS "workspaceId", key_id AS "keyId",
  request_id AS "requestId", service, method, path, status, error, duration_ms AS "durationMs", host(address) AS address,
  request_body AS "requestBody", response_body AS "responseBody"`;

const IN_RANGE = 'SELECT * FROM auth.requests WHERE organization_id = $1 AND id >= $2 AND id < $3';
const NEWEST = `${IN_RANGE} ORDER BY id DESC LIMIT ${MAX_EXAMINED}`;
const MATCHES = `($4::uuid IS NULL OR workspace_id = $4) AND ($5::uuid IS NULL OR key_id = $5) AND ($6::text IS NULL OR method = $6)
  AND ($7::text IS NULL OR starts_with(path, $7)) AND ($8::integer IS NULL OR status = $8) AND ($9::text IS NULL OR error = $9)
  AND ($10::boolean IS NULL OR (error IS NOT NULL) = $10)`;

/** The calls of API keys, by the time when their responses ended. */
@Injectable()
export class RequestLogRepository {
  constructor(private readonly pool: Pool) {}

  /** Stores calls. No commit waits for the disk, so a crash of the database server loses those of its last moment. */
  async append(requests: readonly LoggedRequest[]): Promise<void> {
    await this.pool.query({
      name: 'auth-append-requests',
      text: `INSERT INTO auth.requests (id, organization_id, workspace_id, key_id, request_id, service, method, path, status, error,
               duration_ms, address, request_body, response_body)
             SELECT r.* FROM (SELECT set_config('synchronous_commit', 'off', true)) AS setting,
               unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
                 $9::smallint[], $10::text[], $11::integer[], $12::inet[], $13::text[], $14::text[]) AS r`,
      values: [
        arrayOf(requests, ({ id }) => id),
        arrayOf(requests, ({ organizationId }) => organizationId),
        arrayOf(requests, ({ workspaceId }) => workspaceId),
        arrayOf(requests, ({ keyId }) => keyId),
        arrayOf(requests, ({ requestId }) => `"${requestId}"`),
        arrayOf(requests, ({ service }) => service),
        arrayOf(requests, ({ method }) => method),
        requests.map(({ path }) => path),
        arrayOf(requests, ({ status }) => status),
        requests.map(({ error }) => error),
        arrayOf(requests, ({ durationMs }) => durationMs),
        arrayOf(requests, ({ address }) => address),
        requests.map(({ requestBody }) => requestBody),
        requests.map(({ responseBody }) => responseBody),
      ],
    });
  }

  /**
   * The calls of an organization in the last 30 days, newest first. Without a request id, a page examines at most 20,000 calls: it can
   * have fewer calls than its limit, also none, and still not be the last one.
   */
  async list(organizationId: string, filter: RequestFilter, { limit, after }: Page): Promise<PageOf<LoggedRequest>> {
    const { requestId, workspaceId, keyId, method, path, status, error, hasError } = filter;
    const range = [organizationId, firstKept(filter.from), firstOf(filter.until, after)];
    const conditions = [workspaceId, keyId, method, path, status, error, hasError];
    const { rows } =
      requestId === null
        ? await this.pool.query<LoggedRequest>(
            `SELECT ${COLUMNS} FROM (${NEWEST}) AS examined WHERE ${MATCHES} ORDER BY id DESC LIMIT $11`,
            [...range, ...conditions, limit + 1],
          )
        : await this.pool.query<LoggedRequest>(
            // Without MATERIALIZED, the planner reads the calls in the order of the result instead of using the index of request ids.
            `WITH found AS MATERIALIZED (${IN_RANGE} AND request_id = $12)
             SELECT ${COLUMNS} FROM found WHERE ${MATCHES} ORDER BY id DESC LIMIT $11`,
            [...range, ...conditions, limit + 1, requestId],
          );
    const page = toPage(rows, { limit, after }, ({ id }) => id);
    if (page.next !== null || requestId !== null) return page;
    const { rows: last } = await this.pool.query<{ id: string }>(
      `SELECT id FROM (${NEWEST}) AS examined ORDER BY id DESC OFFSET ${MAX_EXAMINED - 1}`,
      range,
    );
    return { ...page, next: last[0]?.id ?? null };
  }

  /** Null for an unknown id, and for a call of another organization or before the last 30 days. */
  async read(organizationId: string, id: string): Promise<LoggedRequest | null> {
    if (!isId(id) || timeOfId(id).getTime() < Date.now() - REQUEST_LOG_DAYS * DAY_MS) return null;
    const { rows } = await this.pool.query<LoggedRequest>(
      `SELECT ${COLUMNS} FROM auth.requests WHERE organization_id = $1 AND id = $2`,
      [organizationId, id],
    );
    return rows[0] ?? null;
  }
}

/**
 * The text of an array for PostgreSQL, for values without quotes, commas and backslashes: the driver looks for them in each value, which
 * takes most of the time of a batch.
 */
function arrayOf(
  requests: readonly LoggedRequest[],
  valueOf: (request: LoggedRequest) => string | number | null,
): string {
  return `{${requests.map((request) => valueOf(request) ?? 'NULL').join(',')}}`;
}

function firstKept(from: Date | null): string {
  const oldest = Date.now() - REQUEST_LOG_DAYS * DAY_MS;
  return firstIdOf(new Date(Math.max(oldest, from?.getTime() ?? 0)));
}

/** The upper bound of the ids before a time and after the last id of the previous page, whichever is earlier. */
function firstOf(until: Date | null, after: string | null): string {
  const bounds = [until === null ? LAST_ID : firstIdOf(until), after ?? LAST_ID].sort();
  return bounds[0] ?? LAST_ID;
}
