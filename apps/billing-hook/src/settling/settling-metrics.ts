import { METRICS } from '@heliograph/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { Pool } from 'pg';

const MAX_COUNTED = 10_000;

/** Gauges that are evaluated on each scrape. */
@Injectable()
export class SettlingMetrics {
  constructor(@Inject(METRICS) registry: Registry, pool: Pool) {
    const registers = [registry];
    new Gauge({
      name: 'billing_events_unsettled',
      help: `Stored events that are not processed yet, counted up to ${MAX_COUNTED}`,
      registers,
      async collect() {
        const size = await unsettled(pool).catch(() => null);
        if (size === null) this.reset();
        else this.set(size);
      },
    });
  }
}

async function unsettled(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ size: number }>(
    'SELECT count(*)::int AS size FROM (SELECT FROM billing.events WHERE settled_at IS NULL LIMIT $1) AS u',
    [MAX_COUNTED],
  );
  return rows[0]?.size ?? 0;
}
