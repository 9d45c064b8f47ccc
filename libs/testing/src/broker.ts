import { connect } from 'amqplib';
import type { EventEnvelope } from '@heliograph/contracts';
import { testServers } from './servers.config';

/**
 * Time limits for a broker that accepts connections but does not respond, which occurs on a machine with a high load.
 */
const TAP_CONNECT_TIMEOUT_MS = 15_000;
const TAP_CONNECT_ATTEMPTS = 3;
const REMOVE_CONNECT_TIMEOUT_MS = 10_000;
const REMOVE_TIMEOUT_MS = 15_000;

export interface EventTap {
  events: EventEnvelope[];
  close(): Promise<void>;
}

/** Subscribes to every event of the exchange of a service, as another service would. */
export async function tapEvents(amqpPrefix: string): Promise<EventTap> {
  const connection = await connectPatiently();
  const channel = await connection.createChannel();
  await channel.assertExchange(`${amqpPrefix}events`, 'topic', { durable: true });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, `${amqpPrefix}events`, '#');
  const events: EventEnvelope[] = [];
  await channel.consume(
    queue,
    (message) => message && events.push(JSON.parse(message.content.toString()) as EventEnvelope),
    {
      noAck: true,
    },
  );
  return { events, close: () => connection.close() };
}

async function connectPatiently(attempt = 1): ReturnType<typeof connect> {
  try {
    return await connect(testServers.amqpUrl, { timeout: TAP_CONNECT_TIMEOUT_MS });
  } catch (error) {
    if (!isTimeout(error) || attempt === TAP_CONNECT_ATTEMPTS) throw error;
    return connectPatiently(attempt + 1);
  }
}

/** Removes the messages of the queues of a test. Rejects if one of the queues does not exist. */
export async function emptyQueues(amqpPrefix: string, queues: string[]): Promise<void> {
  const connection = await connect(testServers.amqpUrl, { timeout: REMOVE_CONNECT_TIMEOUT_MS });
  // The error of a channel also rejects its calls.
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    for (const queue of queues) {
      await channel.purgeQueue(`${amqpPrefix}${queue}`);
      await channel.purgeQueue(`${amqpPrefix}${queue}.dead`);
    }
  } finally {
    await connection.close();
  }
}

/** Deletes queues with their messages, or only their messages, as a broker does that loses its data. */
export async function loseQueues(url: string, queues: readonly string[], how: 'delete' | 'purge'): Promise<void> {
  const connection = await connect(url, { timeout: REMOVE_CONNECT_TIMEOUT_MS });
  try {
    for (const queue of queues) {
      const channel = await connection.createChannel();
      // A queue that does not exist closes the channel.
      channel.on('error', () => undefined);
      if (how === 'delete') await channel.deleteQueue(queue);
      else await channel.purgeQueue(queue).catch(() => undefined);
      await channel.close().catch(() => undefined);
    }
  } finally {
    await connection.close();
  }
}

/** Removes the exchange and queues of a test. If the broker is too busy, they remain until the queues expire. */
export async function removeFromBroker(amqpPrefix: string, queues: string[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, REMOVE_TIMEOUT_MS)));
  const removal = remove(amqpPrefix, queues).catch((error: unknown) => {
    if (!isTimeout(error)) throw error;
  });
  await Promise.race([removal, late]);
  clearTimeout(timer);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'connect ETIMEDOUT';
}

async function remove(amqpPrefix: string, queues: string[]): Promise<void> {
  const connection = await connect(testServers.amqpUrl, { timeout: REMOVE_CONNECT_TIMEOUT_MS });
  const channel = await connection.createChannel();
  for (const queue of queues) {
    await channel.deleteQueue(`${amqpPrefix}${queue}`);
    await channel.deleteQueue(`${amqpPrefix}${queue}.dead`);
  }
  await channel.deleteExchange(`${amqpPrefix}events`);
  await connection.close();
}
