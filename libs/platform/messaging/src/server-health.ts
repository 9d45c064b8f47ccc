import { Health } from '@heliograph/service-kit';
import type { Pool } from 'pg';
import type { Bus } from './bus';

/** Registers the health checks. Readiness requires the database but not the bus, because events wait in the outbox. */
export function registerServers(health: Health, pool: Pool, bus: Bus): Health {
  health.register('database', true, async () => void (await pool.query('SELECT 1')));
  health.register('bus', false, () => {
    if (!bus.ready) throw new Error('not connected');
  });
  return health;
}
