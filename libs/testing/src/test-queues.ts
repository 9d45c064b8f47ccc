import { setTimeout as delay } from 'node:timers/promises';
import { BUS, RabbitBus } from '@heliograph/messaging';
import type { RunningService } from '@heliograph/service-kit';
import { removeFromBroker } from './broker';
import { untilWorkerEnd } from './per-worker';

const QUEUE_START_MS = 1_500;

/** The queues of the services that run with the same prefix. */
interface TestQueues {
  names: Set<string>;
  running: number;
  /** 0: no service has used RabbitMQ. */
  startedAt: number;
}

const queuesOf = new Map<string, TestQueues>();
/** Removals in progress, by prefix. */
const removals = new Map<string, Promise<void>>();

/** Waits until the queues of an earlier service with this prefix are removed, and registers a service that starts. */
export async function useQueues(amqpPrefix: string): Promise<void> {
  await removals.get(amqpPrefix);
  const queues = queuesOf.get(amqpPrefix) ?? { names: new Set(), running: 0, startedAt: 0 };
  queuesOf.set(amqpPrefix, queues);
  queues.running++;
}

/** Registers the queues that a started service has declared. */
export function addQueues(amqpPrefix: string, { app }: RunningService): void {
  const bus = busOf(app);
  const queues = queuesOf.get(amqpPrefix);
  if (!queues || !(bus instanceof RabbitBus)) return;
  for (const name of bus.queueNames) queues.names.add(name);
  queues.startedAt = Date.now();
}

/**
 * Unregisters a stopped service. After the last one, the exchange and the queues are removed in the background, before
 * the Jest worker ends: a quorum queue is expensive, and has three open files, of which a broker often may have 1024.
 */
export function releaseQueues(amqpPrefix: string, { keepQueues = false } = {}): void {
  const queues = queuesOf.get(amqpPrefix);
  if (!queues || --queues.running > 0 || keepQueues) return;
  queuesOf.delete(amqpPrefix);
  if (queues.startedAt === 0) return;
  const removal = remove(amqpPrefix, queues)
    .catch((error: unknown) => console.error('The queues of a test could not be removed.', error))
    .finally(() => removals.delete(amqpPrefix));
  removals.set(amqpPrefix, removal);
  untilWorkerEnd(removal);
}

async function remove(amqpPrefix: string, { names, startedAt }: TestQueues): Promise<void> {
  // Deleting a quorum queue while RabbitMQ starts its dead-letter worker can end the supervisor of all such workers.
  await delay(Math.max(0, startedAt + QUEUE_START_MS - Date.now()));
  await removeFromBroker(amqpPrefix, [...names]);
}

function busOf(app: RunningService['app']): unknown {
  try {
    return app.get<unknown>(BUS, { strict: false });
  } catch {
    // The service has no MessagingModule.
    return null;
  }
}
