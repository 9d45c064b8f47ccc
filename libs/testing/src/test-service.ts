import { randomBytes } from 'node:crypto';
import { startService, type PlatformSettings, type RunningService, type ServiceDefinition } from '@heliograph/platform';
import { testServers } from './servers.config';

export interface TestService extends RunningService {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Prefix of this service's exchange and queues on the broker. */
  amqpPrefix: string;
}

/**
 * Starts a service as production does, on a port of its own and against the real servers, with an exchange and
 * queues of its own.
 */
export async function startTestService<S extends PlatformSettings>(
  definition: ServiceDefinition<S>,
  databaseUrl: string,
  environment: Record<string, string> = {},
): Promise<TestService> {
  const amqpPrefix = environment['AMQP_PREFIX'] ?? `test-${process.pid}-${randomBytes(4).toString('hex')}.`;
  const service = await startService(definition, {
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: testServers.logLevel,
    DATABASE_URL: databaseUrl,
    AMQP_URL: testServers.amqpUrl,
    REDIS_URL: testServers.redisUrl,
    MESSAGING_RATE_PER_MINUTE: '0',
    SHUTDOWN_GRACE_MS: '2000',
    ...environment,
    AMQP_PREFIX: amqpPrefix,
  });
  return { ...service, url: `http://127.0.0.1:${service.port}`, amqpPrefix };
}
