import { parseEvent, type EventContract, type EventEnvelope, type EventOf } from '@heliograph/contracts';
import type { Pool } from 'pg';
import type { Bus, Consumption, Delivery, Verdict } from './bus';
import { addRetryToOutbox } from './outbox';

const MAX_ATTEMPTS = 10;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * 60_000;

export interface ConsumerLog {
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** Thrown by a consumer to have the event again later, by its own clock; such a delay is no failed attempt. */
export class TryAgainLater extends Error {
  constructor(
    readonly delayMs: number,
    reason: string,
  ) {
    super(reason);
    this.name = 'TryAgainLater';
  }
}

export interface EventConsumerOptions<C extends EventContract> {
  /** `<service>.<purpose>`: the queue's name. */
  queue: string;
  contract: C;
  /** Events in hand at once. */
  concurrency: number;
  /** Must be idempotent: the same event may come twice. */
  consume: (event: EventOf<C>) => Promise<void>;
}

/**
 * Runs a consumer on its queue. What it throws is tried again with exponential back-off through the outbox, so a
 * waiting retry survives a restart and holds no place in the queue; what never works, or cannot even be read, is set
 * aside as a dead letter.
 */
export function consumeEvents<C extends EventContract>(
  bus: Bus,
  pool: Pool,
  log: ConsumerLog,
  options: EventConsumerOptions<C>,
): Promise<Consumption> {
  const { queue, contract } = options;

  const retry = async (payload: EventEnvelope, attempt: number, delayMs: number): Promise<Verdict> => {
    try {
      await addRetryToOutbox(pool, { queue, payload, attempt, delayMs });
      return { kind: 'done' };
    } catch (error) {
      log.warn({ err: error, queue }, 'a retry could not be stored; the queue keeps the event');
      return { kind: 'again' };
    }
  };

  const settle = async ({ payload, attempt }: Delivery): Promise<Verdict> => {
    let event: EventOf<C>;
    try {
      event = parseEvent(contract, payload);
    } catch (error) {
      log.error({ err: error, queue }, 'an event cannot be read; it is set aside');
      return { kind: 'dead', error: reasonOf(error) };
    }
    try {
      await options.consume(event);
      return { kind: 'done' };
    } catch (error) {
      if (error instanceof TryAgainLater) return retry(event, attempt, error.delayMs);
      const failed = attempt + 1;
      log.warn({ err: error, queue, eventId: event.id, attempt: failed }, 'a consumer failed');
      if (failed >= MAX_ATTEMPTS) return { kind: 'dead', error: reasonOf(error) };
      return retry(event, failed, retryDelayMs(failed));
    }
  };

  return bus.consume({ name: queue, bindings: [contract.type], prefetch: options.concurrency }, settle);
}

/** 1 s, 2 s, 4 s ... 5 min, each shortened at random by up to a half, so that many do not come back as one. */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
  return Math.round(full * (1 - random() / 2));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
