import { GroupCommit } from '@heliograph/database';
import { Periodic, type RequestKey } from '@heliograph/service-kit';
import type { ClientBase, Pool } from 'pg';

const CLEAN_EVERY_MS = 60 * 60_000;
/** A scheduled message or a late receipt continues the trace of its request for this long. */
const KEPT = "interval '30 days'";
/** A request is answered without a trace in other processes if it cannot be stored. */
const MAX_WAITING = 10_000;
/** Requests without the credentials of an organization, such as calls of widgets and webhooks of providers. */
const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

interface Trace {
  request: RequestKey;
  traceparent: string;
}

/** The traces of requests by organization and X-Request-Id, which every message and event contains. */
export class TraceStore {
  private readonly commits: GroupCommit<Trace, void>;

  constructor(private readonly pool: Pool) {
    this.commits = new GroupCommit<Trace, void>({
      maxQueue: MAX_WAITING,
      flush: async (traces) => {
        // A statement cannot update a row twice; the last request with an id counts.
        const last = [...new Map(traces.map((trace) => [keyOf(trace.request), trace])).values()];
        await pool.query(
          `INSERT INTO messaging.request_traces (organization_id, request_id, traceparent)
           SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])
           ON CONFLICT (request_id, organization_id) DO UPDATE SET traceparent = excluded.traceparent, created_at = now()`,
          [
            last.map(({ request }) => request.organizationId ?? NO_ORGANIZATION),
            last.map(({ request }) => request.requestId),
            last.map(({ traceparent }) => traceparent),
          ],
        );
        return traces.map(() => undefined);
      },
    });
  }

  store(request: RequestKey, traceparent: string): Promise<void> {
    return this.commits.submit({ request, traceparent });
  }

  @Periodic({ everyMs: CLEAN_EVERY_MS, role: 'worker' })
  async clean(): Promise<void> {
    await this.pool.query(`DELETE FROM messaging.request_traces WHERE created_at < now() - ${KEPT}`);
  }
}

/** The stored traces of requests. */
export class FoundTraces {
  private readonly traces: ReadonlyMap<string, string>;

  constructor(rows: readonly (RequestKey & { traceparent: string })[]) {
    this.traces = new Map(rows.map((row) => [keyOf(row), row.traceparent]));
  }

  /**
   * The traceparent of the request that caused an event of an organization. The request is one of the organization, or one
   * without credentials, whose organization was found later.
   */
  of({ organizationId, requestId }: RequestKey): string | undefined {
    return (
      this.traces.get(keyOf({ organizationId, requestId })) ??
      this.traces.get(keyOf({ organizationId: NO_ORGANIZATION, requestId }))
    );
  }
}

/** The stored traces of the requests with these ids, of all organizations. */
export async function findTraces(database: ClientBase | Pool, requestIds: readonly string[]): Promise<FoundTraces> {
  if (requestIds.length === 0) return new FoundTraces([]);
  const { rows } = await database.query<RequestKey & { traceparent: string }>(
    `SELECT organization_id AS "organizationId", request_id AS "requestId", traceparent
     FROM messaging.request_traces WHERE request_id = ANY ($1)`,
    [requestIds],
  );
  return new FoundTraces(rows);
}

function keyOf({ organizationId, requestId }: RequestKey): string {
  return `${organizationId ?? NO_ORGANIZATION} ${requestId}`;
}
