import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { billingEventReceived } from '@heliograph/contracts';
import { GroupCommit, newId, poolOf } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { METRICS } from '@heliograph/platform';
import { Histogram, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { ProcessorCall } from './read-event';

export interface ReceivedEvent extends ProcessorCall {
  correlationId: string;
}

/**
 * Stores what is new and puts the job of settling it in the outbox. The arrival is taken in the order of the batch, the
 * rows are written in the order of their ids: so two processes that got the same events cannot wait for each other.
 */
const STORE = `
WITH given AS MATERIALIZED (
  SELECT g.*, nextval('billing.arrivals') AS arrival FROM json_to_recordset($1) AS g (
    id text, type text, created float8, customer text, correlation_id text, job_id uuid, payload json)
), stored AS (
  INSERT INTO billing.events (id, type, created, arrival, customer, payload, correlation_id)
  SELECT id, type, coalesce(to_timestamp(created), date_trunc('second', now())), arrival, customer, payload, correlation_id
  FROM given ORDER BY id
  ON CONFLICT DO NOTHING
  RETURNING id
), announced AS (
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT g.job_id, job.type, json_build_object(
    'id', g.job_id, 'type', job.type, 'version', ${billingEventReceived.version},
    'time', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'organizationId', NULL, 'workspaceId', NULL, 'correlationId', g.correlation_id,
    'data', json_build_object('eventId', g.id, 'eventType', g.type))
  FROM given AS g JOIN stored USING (id)
  CROSS JOIN (VALUES ('${billingEventReceived.type}')) AS job (type)
  ORDER BY g.arrival
)
SELECT id FROM stored`;

/** Stores events, each id once, for many callers in one commit. */
@Injectable()
export class EventStore implements OnModuleDestroy {
  private readonly pool;
  private readonly writes: GroupCommit<ReceivedEvent, boolean>;

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(METRICS) registry: Registry,
  ) {
    this.pool = poolOf(dataSource);
    const sizes = new Histogram({
      name: 'billing_group_commit_size',
      help: 'Events that were stored with one commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.writes = new GroupCommit<ReceivedEvent, boolean>({
      // A body may have a megabyte: what waits is bounded by that.
      maxQueue: 2_000,
      flush: (events) => this.write(events),
      onFlush: (size) => sizes.observe(size),
    });
  }

  /** Resolves once the event is committed: true when this call stored it, false when it was there already. */
  store(event: ReceivedEvent): Promise<boolean> {
    return this.writes.submit(event);
  }

  /** Whether what is stored under this id is another body than the given one. */
  async differs({ id, text }: ReceivedEvent): Promise<boolean> {
    const { rows } = await this.pool.query('SELECT FROM billing.events WHERE id = $1 AND payload::text = $2', [
      id,
      text,
    ]);
    return rows.length === 0;
  }

  async onModuleDestroy(): Promise<void> {
    await this.writes.drain();
  }

  private async write(events: ReceivedEvent[]): Promise<boolean[]> {
    const firsts = new Map<string, ReceivedEvent>();
    for (const event of events) if (!firsts.has(event.id)) firsts.set(event.id, event);
    const given = [...firsts.values()];
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'billing-store-events',
      text: STORE,
      values: [`[${given.map(toRow).join(',')}]`],
    });
    if (rows.length > 0) this.relay.wake();
    const stored = new Set(rows.map(({ id }) => id));
    return events.map((event) => stored.has(event.id) && firsts.get(event.id) === event);
  }
}

/** A body is JSON already: it goes into the row as it is, so that nobody has to escape it and to read it again. */
function toRow({ id, type, created, customer, correlationId, text }: ReceivedEvent): string {
  const rest = JSON.stringify({ id, type, created, customer, correlation_id: correlationId, job_id: newId() });
  return `${rest.slice(0, -1)},"payload":${text}}`;
}
