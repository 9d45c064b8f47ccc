import { GroupCommit } from '@heliograph/database';
import { Periodic } from '@heliograph/service-kit';
import type { ClientBase, Pool } from 'pg';

const CLEAN_EVERY_MS = 60 * 60_000;
/** A scheduled message or a late receipt continues the trace of its request for this long. */
const KEPT = "interval '30 days'";
/** A request is answered without a trace in other processes if it cannot be stored. */
const MAX_WAITING = 10_000;

interface Trace {
  requestId: string;
  traceparent: string;
}

/** The traces of requests by X-Request-Id, which every message and event contains. */
export class TraceStore {
  private readonly commits: GroupCommit<Trace, void>;

  constructor(private readonly pool: Pool) {
    this.commits = new GroupCommit<Trace, void>({
      maxQueue: MAX_WAITING,
      flush: async (traces) => {
        // A statement cannot update a row twice; the last request with an id counts.
        const last = [...new Map(traces.map((trace) => [trace.requestId, trace])).values()];
        await pool.query(
          `INSERT INTO messaging.traces (request_id, traceparent) SELECT * FROM unnest($1::text[], $2::text[])
           ON CONFLICT (request_id) DO UPDATE SET traceparent = excluded.traceparent, created_at = now()`,
          [last.map(({ requestId }) => requestId), last.map(({ traceparent }) => traceparent)],
        );
        return traces.map(() => undefined);
      },
    });
  }

  store(requestId: string, traceparent: string): Promise<void> {
    return this.commits.submit({ requestId, traceparent });
  }

  @Periodic({ everyMs: CLEAN_EVERY_MS, role: 'worker' })
  async clean(): Promise<void> {
    await this.pool.query(`DELETE FROM messaging.traces WHERE created_at < now() - ${KEPT}`);
  }
}

/** The stored traceparents by request id. */
export async function findTraces(
  database: ClientBase | Pool,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (requestIds.length === 0) return new Map();
  const { rows } = await database.query<Trace>(
    'SELECT request_id AS "requestId", traceparent FROM messaging.traces WHERE request_id = ANY ($1)',
    [requestIds],
  );
  return new Map(rows.map(({ requestId, traceparent }) => [requestId, traceparent]));
}
