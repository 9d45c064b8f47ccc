import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ERASING_SERVICES, erasureQueue, MAIL_QUEUE } from '@heliograph/contracts';
import { applyAccess, type DatabaseAccess } from '@heliograph/database';
import { startService, type ServiceConfig, type RunningService, type ServiceDefinition } from '@heliograph/service-kit';
import { Client } from 'pg';
import { removeFromBroker } from './broker';
import { testServers } from './servers.config';

export interface TestService extends RunningService {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Prefix of the exchange and queues of this service on the broker. */
  amqpPrefix: string;
}

const QUEUE_START_MS = 1_500;

/** Queues that services declare, although other services consume some of them. */
const SHARED_QUEUES = [MAIL_QUEUE, 'account-api.contacts', ...ERASING_SERVICES.map(erasureQueue)];

/** Starts a service as production does, on its own port, with the real servers and its own exchange and queues. */
export async function startTestService<S extends ServiceConfig>(
  definition: ServiceDefinition<S>,
  databaseUrl: string,
  environment: Record<string, string> = {},
): Promise<TestService> {
  await grantAccess(databaseUrl, definition.access);
  const amqpPrefix = environment['AMQP_PREFIX'] ?? `test-${process.pid}-${randomBytes(4).toString('hex')}.`;
  const service = await startService(definition, {
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
    // The queues of a test expire on the broker.
    AMQP_QUEUE_EXPIRES_MS: '180000',
    ...environment,
    AMQP_PREFIX: amqpPrefix,
  });
  const startedAt = Date.now();
  const stop = async (): Promise<void> => {
    await service.stop();
    // Deleting a quorum queue while RabbitMQ starts its dead-letter worker can end the supervisor of all such workers.
    await delay(Math.max(0, startedAt + QUEUE_START_MS - Date.now()));
    // Quorum queues are expensive, and a broker can handle a few hundred. The owner of a shared prefix removes its
    // queues.
    if (environment['AMQP_PREFIX'] === undefined && environment['AMQP_URL'] === undefined) {
      await removeFromBroker(amqpPrefix, SHARED_QUEUES);
    }
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
