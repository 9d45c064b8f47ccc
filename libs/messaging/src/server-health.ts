import { poolOf } from '@heliograph/database';
import { Health } from '@heliograph/platform';
import { DataSource } from 'typeorm';
import type { Bus } from './bus';

/** A service without its database is not ready; without the bus it is: events wait in the outbox. */
export function registerServers(health: Health, dataSource: DataSource, bus: Bus): Health {
  health.register('database', true, async () => void (await poolOf(dataSource).query('SELECT 1')));
  health.register('bus', false, () => {
    if (!bus.ready) throw new Error('away');
  });
  return health;
}
