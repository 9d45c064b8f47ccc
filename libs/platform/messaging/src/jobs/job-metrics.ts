import { JOB_KINDS } from '@heliograph/contracts';
import { Gauge, type Registry } from 'prom-client';
import type { Pool } from 'pg';
import { queryQuietly } from '../outbox/quiet-query';

const WAITING = 'count(*)::float8';
const OLDEST_SECONDS = 'greatest(0, extract(epoch FROM now() - min(o.available_at)))::float8';

interface Value {
  queue: string;
  kind: number;
  value: number;
}

/** Registers the metrics of the jobs that wait in their lanes. They are read from the outbox when the metrics are read. */
export function registerJobMetrics(registry: Registry, pool: Pool): void {
  const gauge = (name: string, help: string, aggregate: string): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: ['queue', 'kind'],
      registers: [registry],
      async collect() {
        const query = `SELECT o.job_queue AS queue, o.kind, ${aggregate} AS value
          FROM messaging.outbox AS o WHERE o.in_lane GROUP BY o.job_queue, o.kind`;
        const values = await queryQuietly<Value>(pool, query).catch(() => []);
        this.reset();
        for (const { queue, kind, value } of values) this.set({ queue, kind: JOB_KINDS[kind - 1] ?? 'bulk' }, value);
      },
    });
  gauge('jobs_waiting', 'Jobs that are due and wait in their lanes', WAITING);
  gauge('jobs_oldest_seconds', 'Time since the oldest job that waits in a lane is due', OLDEST_SECONDS);
}
