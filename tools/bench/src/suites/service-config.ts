import { BROKER_QUEUES } from '@heliograph/contracts';
import { freePort, ToolProcess, type ScratchDatabase } from '@heliograph/harness';
import type { Role } from '@heliograph/service-kit';
import { removeFromBroker } from '@heliograph/testing';

const AMQP_URL = process.env['AMQP_URL'] || 'amqp://guest:guest@127.0.0.1:5672';

/** The config of all services of the benchmark. */
export function serviceConfig(database: ScratchDatabase) {
  return {
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    AMQP_URL,
    AMQP_PREFIX: `bench-${process.pid}.`,
    REDIS_URL: '',
  };
}

/** The config of bots whose visitors are not limited: the calls come from one address here. */
export const NO_BOT_LIMITS = {
  BOT_STARTS_PER_5_MINUTES: '0',
  BOT_MESSAGES_PER_MINUTE: '0',
  BOT_MESSAGES_PER_MINUTE_PER_IP: '0',
  BOT_CHANGES_PER_MINUTE: '0',
  BOT_CHANGES_PER_MINUTE_PER_IP: '0',
  BOT_READS_PER_MINUTE: '0',
  BOT_READS_PER_MINUTE_PER_IP: '0',
  BOT_MAX_STREAMS_PER_IP: '0',
} as const;

/** Removes the queues that the services have declared. */
export function removeQueues(config: { AMQP_PREFIX: string }): Promise<void> {
  return removeFromBroker(
    config.AMQP_PREFIX,
    BROKER_QUEUES.map(({ name }) => name),
  );
}

export interface RunningService {
  process: ToolProcess;
  port: number;
}

/** Starts an entry point on a free port. */
export async function startService(
  name: string,
  entry: string,
  role: Role,
  config: Record<string, string>,
  args: string[] = [],
): Promise<RunningService> {
  const port = await freePort();
  return { process: new ToolProcess(name, entry, { ...config, PORT: String(port), ROLE: role }, args), port };
}

/** Asks a simulator process for its totals. */
export function totalsOf<T>(simulator: ToolProcess): Promise<T> {
  simulator.signal('SIGUSR2');
  return simulator.nextJson<T>();
}
