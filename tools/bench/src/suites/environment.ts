import type { ScratchDatabase } from '@heliograph/harness';

const AMQP_URL = process.env['AMQP_URL'] || 'amqp://guest:guest@127.0.0.1:5672';

/** What all services of a bench are told. */
export function serviceSettings(database: ScratchDatabase) {
  return {
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    AMQP_URL,
    AMQP_PREFIX: `bench-${process.pid}.`,
    REDIS_URL: '',
  };
}
