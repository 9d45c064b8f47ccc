import { STORED_QUEUES } from '@heliograph/contracts';
import { databaseConfigSchema } from '@heliograph/database';
import { LocalBus, messagingConfigSchema, RabbitBus, StoredQueues, type Bus } from '@heliograph/messaging';
import { loadConfig } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { UsageError } from './usage-error';

const DEFAULT_LIMIT = 100;
const ignore = (): void => undefined;
const silent = { info: ignore, warn: ignore, error: ignore };

/** Prints the dead letters of a queue. Arguments: queue, limit. */
export async function listDeadLetters(args: readonly string[]): Promise<boolean> {
  const { queue, limit } = parseArguments(args);
  for (const letter of await withBus((bus) => bus.deadLetters(queue, limit))) console.log(JSON.stringify(letter));
  return true;
}

/** Returns dead letters to their queue. Arguments: queue, limit. */
export async function replayDeadLetters(args: readonly string[]): Promise<boolean> {
  const { queue, limit } = parseArguments(args);
  console.log(`${await withBus((bus) => bus.replay(queue, limit))} dead letters returned to ${queue}`);
  return true;
}

function parseArguments([queue, limitText = String(DEFAULT_LIMIT), ...rest]: readonly string[]) {
  const limit = Number(limitText);
  if (!queue || rest.length > 0) throw new UsageError('Specify one queue, for example sms-api.send.');
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError(`The limit must be a positive integer, not ${limitText}.`);
  return { queue, limit };
}

async function withBus<T>(use: (bus: Bus) => Promise<T>): Promise<T> {
  const settings = loadConfig(databaseConfigSchema.extend(messagingConfigSchema.shape), process.env);
  const pool = new Pool({ connectionString: settings.DATABASE_URL, application_name: 'ops dead-letters' });
  const broker: Bus = settings.AMQP_URL
    ? new RabbitBus({
        url: settings.AMQP_URL,
        prefix: settings.AMQP_PREFIX,
        connectionName: 'ops dead-letters',
        isMandatory: () => false,
        log: silent,
      })
    : new LocalBus(pool, () => false);
  const bus = new StoredQueues(pool, broker, { log: silent, feed: null }, STORED_QUEUES);
  try {
    // The local bus is not started, because this would release the leases of the process that consumes.
    if (settings.AMQP_URL) await bus.start();
    return await use(bus);
  } finally {
    await bus.stop();
    await pool.end();
  }
}
