import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BUS, type Bus } from '@heliograph/messaging';
import type { RunningService } from '@heliograph/service-kit';
import { emptyQueues, removeFromBroker } from './broker';
import { onWorkerEnd, untilWorkerEnd } from './per-worker';

/** Time that RabbitMQ needs to start a declared queue. */
const QUEUE_START_MS = 1_500;
/** Time that RabbitMQ needs to return the unacknowledged messages of a closed connection to their queues. */
const RETURN_MS = 300;

/** The queues of the services that run with the same prefix. */
interface TestQueues {
  names: Set<string>;
  running: number;
  /** 0: no service has used RabbitMQ. */
  startedAt: number;
  isReusable: boolean;
}

interface FreeQueues {
  prefix: string;
  names: Set<string>;
  freeAt: number;
}

const queuesOf = new Map<string, TestQueues>();
/** Removals in progress, by prefix. */
const removals = new Map<string, Promise<void>>();
/**
 * The queues of a stopped service. The next service reuses them, because declaring quorum queues takes longer than the rest of
 * its start. Only one set is kept: each queue needs three open files, and many brokers may open only 1,024.
 */
let free: FreeQueues | null = null;

/**
 * Registers a service that starts, and returns the prefix of its queues: `own` if the test chose one, otherwise that of
 * emptied queues or a new one.
 */
export async function useQueues(own: string | undefined): Promise<string> {
  const reused = own === undefined ? await takeFree() : null;
  const prefix = own ?? reused?.prefix ?? `test-${process.pid}-${randomBytes(4).toString('hex')}.`;
  await removals.get(prefix);
  const names = reused?.names ?? new Set<string>();
  const queues = queuesOf.get(prefix) ?? { names, running: 0, startedAt: 0, isReusable: own === undefined };
  queuesOf.set(prefix, queues);
  queues.running++;
  return prefix;
}

async function takeFree(): Promise<FreeQueues | null> {
  const taken = free;
  if (taken === null) return null;
  free = null;
  await delay(Math.max(0, taken.freeAt + RETURN_MS - Date.now()));
  try {
    await emptyQueues(taken.prefix, [...taken.names]);
    return taken;
  } catch {
    // A queue has expired, or the broker does not respond.
    removeLater(taken.prefix, taken.names, 0);
    return null;
  }
}

/** Registers the queues that a started service has declared. */
export function addQueues(amqpPrefix: string, { app }: RunningService): void {
  const bus = busOf(app);
  const queues = queuesOf.get(amqpPrefix);
  if (!queues || !bus) return;
  for (const name of bus.queueNames) queues.names.add(name);
  queues.startedAt = Date.now();
}

/** Unregisters a stopped service. After the last one, the queues are kept for the next service or removed in the background. */
export function releaseQueues(amqpPrefix: string, { keepQueues = false } = {}): void {
  const queues = queuesOf.get(amqpPrefix);
  if (!queues || --queues.running > 0 || keepQueues) return;
  queuesOf.delete(amqpPrefix);
  if (queues.names.size === 0) return;
  if (queues.isReusable && free === null) {
    free = { prefix: amqpPrefix, names: queues.names, freeAt: Date.now() };
    onWorkerEnd(removeFree);
  } else removeLater(amqpPrefix, queues.names, queues.startedAt);
}

async function removeFree(): Promise<void> {
  const last = free;
  free = null;
  if (last) await removeFromBroker(last.prefix, [...last.names]);
}

function removeLater(prefix: string, names: Set<string>, startedAt: number): void {
  const removal = remove(prefix, names, startedAt)
    .catch((error: unknown) => console.error('The queues of a test could not be removed.', error))
    .finally(() => removals.delete(prefix));
  removals.set(prefix, removal);
  untilWorkerEnd(removal);
}

async function remove(prefix: string, names: Set<string>, startedAt: number): Promise<void> {
  // Deleting a quorum queue while RabbitMQ starts its dead-letter worker can end the supervisor of all such workers.
  await delay(Math.max(0, startedAt + QUEUE_START_MS - Date.now()));
  await removeFromBroker(prefix, [...names]);
}

function busOf(app: RunningService['app']): Bus | null {
  try {
    return app.get<Bus>(BUS, { strict: false });
  } catch {
    // The service has no MessagingModule.
    return null;
  }
}
