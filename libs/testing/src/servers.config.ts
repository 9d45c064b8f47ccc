/** The real servers that tests use: from environment variables, or on their standard local ports. */
export const testServers = {
  databaseUrl: process.env['DATABASE_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres',
  amqpUrl: process.env['AMQP_URL'] || 'amqp://guest:guest@127.0.0.1:5672',
  redisUrl: process.env['REDIS_URL'] || 'redis://127.0.0.1:6379',
  /** The LOG_LEVEL of services under test; set it to see their logs. */
  logLevel: process.env['TEST_LOG_LEVEL'] || 'silent',
};
