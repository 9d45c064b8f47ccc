import { applyAccess, type DatabaseAccess } from '@heliograph/database';
import { startService, type ServiceConfig, type RunningService, type ServiceDefinition } from '@heliograph/service-kit';
import { Client } from 'pg';
import { testServers } from './servers.config';
import { addQueues, releaseQueues, useQueues } from './test-queues';

export interface TestService extends RunningService {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Prefix of the exchange and queues of this service on the broker. */
  amqpPrefix: string;
  /** Stops the service. With `keepQueues`, another service may start with the queues and their messages. */
  stop(options?: { keepQueues?: boolean }): Promise<void>;
}

/**
 * Starts a service as production does, on its own port, with the real servers and its own exchange and queues.
 * @param logLines receives the lines of its log; set LOG_LEVEL too
 */
export async function startTestService<S extends ServiceConfig>(
  definition: ServiceDefinition<S>,
  databaseUrl: string,
  environment: Record<string, string> = {},
  logLines?: string[],
): Promise<TestService> {
  await grantAccess(databaseUrl, definition.access);
  const amqpPrefix = await useQueues(environment['AMQP_PREFIX']);
  const destination = logLines && { write: (line: string): void => void logLines.push(line) };
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: testServers.logLevel,
    DATABASE_URL: databaseUrl,
    DATABASE_ROLE: definition.access.role,
    AMQP_URL: testServers.amqpUrl,
    REDIS_URL: testServers.redisUrl,
    // On a busy machine 250 ms are too short, and the in-process fallback counter would start from zero.
    REDIS_TIMEOUT_MS: '5000',
    // On a busy machine, a connection can take seconds, which is not a failure of the service.
    DATABASE_CONNECT_TIMEOUT_MS: '60000',
    // The server accepts 100 connections by default, shared by all services under test.
    DATABASE_POOL_SIZE: '5',
    MESSAGING_RATE_PER_MINUTE: '0',
    SHUTDOWN_GRACE_MS: '2000',
    // Tests wait for periodic tasks.
    PERIODIC_INTERVAL_FACTOR: '0.1',
    // The queues of a test expire on the broker.
    AMQP_QUEUE_EXPIRES_MS: '180000',
    ...environment,
    AMQP_PREFIX: amqpPrefix,
  };
  const service = await startService(definition, settings, destination).catch((error: unknown) => {
    releaseQueues(amqpPrefix);
    throw error;
  });
  addQueues(amqpPrefix, service);
  let isRunning = true;
  const stop = async (options?: { keepQueues?: boolean }): Promise<void> => {
    await service.stop();
    // A service may be stopped by its test and by its fixture.
    if (isRunning) releaseQueues(amqpPrefix, options);
    isRunning = false;
  };
  return { ...service, stop, url: `http://127.0.0.1:${service.port}`, amqpPrefix };
}

/** Grants the service the privileges that the migration job grants in production. */
async function grantAccess(databaseUrl: string, access: DatabaseAccess): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await applyAccess(client, access);
  } finally {
    await client.end();
  }
}
