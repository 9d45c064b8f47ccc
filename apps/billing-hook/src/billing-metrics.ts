import { poolOf } from '@heliograph/database';
import { METRICS } from '@heliograph/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';

const MOST_COUNTED = 10_000;

/** Gauges that are read when somebody asks. */
@Injectable()
export class BillingMetrics {
  constructor(@Inject(METRICS) registry: Registry, @Inject(DataSource) dataSource: DataSource) {
    const registers = [registry];
    new Gauge({
      name: 'billing_events_unsettled',
      help: `Stored events without their effects yet, counted up to ${MOST_COUNTED}`,
      registers,
      async collect() {
        const size = await unsettled(dataSource).catch(() => null);
        if (size === null) this.reset();
        else this.set(size);
      },
    });
  }
}

async function unsettled(dataSource: DataSource): Promise<number> {
  const { rows } = await poolOf(dataSource).query<{ size: number }>(
    'SELECT count(*)::int AS size FROM (SELECT FROM billing.events WHERE settled_at IS NULL LIMIT $1) AS u',
    [MOST_COUNTED],
  );
  return rows[0]?.size ?? 0;
}
