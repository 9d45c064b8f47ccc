import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { billingEventReceived } from '@heliograph/contracts';
import { GroupCommit, newId } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';

import type { ProcessorCall } from './read-event';

export interface ReceivedEvent extends ProcessorCall {
  correlationId: string;
}

/**
 * Stores new events and adds their processing jobs to the outbox. Arrival numbers follow the order of the batch; rows
 * are inserted in the order of their ids, so that two processes with the same events cannot deadlock.
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

/** Stores events once per id, with one commit for many concurrent callers. */
@Injectable()
export class EventStore implements OnModuleDestroy {
  private readonly pool;
  private readonly writes: GroupCommit<ReceivedEvent, boolean>;

  constructor(
    pool: Pool,
    private readonly relay: Relay,
    @Inject(METRICS) registry: Registry,
  ) {
    this.pool = pool;
    const sizes = new Histogram({
      name: 'billing_group_commit_size',
      help: 'Number of events stored per commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.writes = new GroupCommit<ReceivedEvent, boolean>({
      // Limits the memory of queued events, because a body may have 1 MB.
      maxQueue: 2_000,
      flush: (events) => this.write(events),
      onFlush: (size) => sizes.observe(size),
    });
  }

  /** Resolves after the commit: true if this call stored the event, false if it was already stored. */
  store(event: ReceivedEvent): Promise<boolean> {
    return this.writes.submit(event);
  }

  /** Whether the body stored under this id differs from the given one. */
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

/** Inserts the body unchanged, because it is valid JSON and need not be parsed and serialized again. */
function toRow({ id, type, created, customer, correlationId, text }: ReceivedEvent): string {
  const rest = JSON.stringify({ id, type, created, customer, correlation_id: correlationId, job_id: newId() });
  return `${rest.slice(0, -1)},"payload":${text}}`;
}
