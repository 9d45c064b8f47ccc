import { sharedReading } from '@heliograph/service-kit';
import { Gauge, type Registry } from 'prom-client';
import type { Pool } from 'pg';
import { queryQuietly } from './quiet-query';

/** The label of events that are published to every queue with their type. */
const EVENTS = 'events';

/** Due rows are counted up to this number, so that a large backlog does not make each reading of the metrics slow. */
const MAX_COUNTED = 100_000;

/** The rows that the relay publishes. The jobs in lanes have metrics of their own. */
const DUE = `SELECT coalesce(r.job_queue, r.queue, '${EVENTS}') AS queue, count(*)::float8 AS rows,
    greatest(0, extract(epoch FROM now() - min(r.available_at)))::float8 AS "oldestSeconds"
  FROM (SELECT o.job_queue, o.queue, o.available_at FROM messaging.outbox AS o
        WHERE NOT o.in_lane AND o.available_at <= now() ORDER BY o.available_at LIMIT ${MAX_COUNTED}) AS r
  GROUP BY 1`;

interface DueRows {
  queue: string;
  rows: number;
  oldestSeconds: number;
}

/** Registers the metrics of the due rows of the outbox. They are the same in every process that relays. */
export function registerOutboxMetrics(registry: Registry, pool: Pool): void {
  const read = sharedReading(() => queryQuietly<DueRows>(pool, DUE).catch(() => null));
  const gauge = (name: string, help: string, valueOf: (due: DueRows) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const due = await read();
        this.reset();
        if (!due) return;
        // An alert on a series that does not exist never fires.
        this.set({ queue: EVENTS }, 0);
        for (const row of due) this.set({ queue: row.queue }, valueOf(row));
      },
    });
  };
  gauge(
    'outbox_rows',
    `Due rows of the outbox that are not jobs in lanes, counted up to ${MAX_COUNTED}, by the queue that they are for`,
    ({ rows }) => rows,
  );
  gauge(
    'outbox_oldest_seconds',
    'Time since the oldest row of the outbox is due that is no job in a lane, by the queue that it is for',
    ({ oldestSeconds }) => oldestSeconds,
  );
}
