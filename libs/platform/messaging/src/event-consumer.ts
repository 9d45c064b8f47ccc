import { parseEvent, type EventContract, type EventEnvelope, type EventOf } from '@heliograph/contracts';
import { retryWhileUnavailable } from '@heliograph/database';
import { isDependencyFailure } from '@heliograph/errors';
import { parseTraceparent, type Tracing, type TraceSpan } from '@heliograph/service-kit';
import type { Pool } from 'pg';
import type { Bus, Consumption, Delivery, DeliveryOutcome } from './bus';
import { addRetryToOutbox } from './outbox/outbox';

const MAX_ATTEMPTS = 10;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * 60_000;
/** Delay before an event is retried whose consumer found the database or another server unavailable. */
const UNAVAILABLE_RETRY_MS = 5_000;
const STORE_RETRY_MS = 1_000;

export interface ConsumerLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** Thrown by a consumer to receive the event again after `delayMs`. It does not count as a failed attempt. */
export class TryAgainLater extends Error {
  constructor(
    readonly delayMs: number,
    reason: string,
  ) {
    super(reason);
    this.name = 'TryAgainLater';
  }
}

/** What became of an event: consumed, or why not. */
export type ConsumerResult = 'consumed' | 'later' | 'unavailable' | 'failed' | 'dead' | 'malformed';

/** Observes the events of a queue: the result of each delivery, and the time in seconds from the event to its delivery. */
export type ObserveEvent = (result: ConsumerResult, ageSeconds: number) => void;

export interface EventHandler<C extends EventContract> {
  contract: C;
  /** Must be idempotent: the same event can be delivered more than once. */
  consume: (event: EventOf<C>) => Promise<void>;
}

export interface EventConsumerOptions<C extends EventContract> extends EventHandler<C> {
  /** Name of the queue: `<service>.<purpose>`. */
  queue: string;
  /** Event types that are routed to the queue. */
  bindings: string[];
  /** Maximum number of concurrent events. */
  concurrency: number;
  /** Whether each consumed event is logged in one line. Default: only failures. */
  logsEvents?: boolean;
  observe?: ObserveEvent;
  /** Records a span for each delivery of an event whose trace is recorded. */
  tracing?: Tracing;
  /** Handlers of other events that arrive in the same queue. */
  others?: EventHandler<EventContract>[];
}

/**
 * Consumes a queue. A failed event is retried with exponential back-off through the outbox, so a pending retry survives
 * a restart and occupies no slot of the consumer. After 10 failures, or if it cannot be parsed, the event is
 * dead-lettered. An outage is not a failure: while the database is unavailable, the consumer keeps the event, because a
 * broker dead-letters an event that is returned to it too often.
 */
export async function consumeEvents<C extends EventContract>(
  bus: Bus,
  pool: Pool,
  log: ConsumerLog,
  options: EventConsumerOptions<C>,
): Promise<Consumption> {
  const { queue, others = [], observe = () => undefined, tracing } = options;
  const handlers = new Map([options, ...others].map((one) => [one.contract.type, one as EventHandler<EventContract>]));

  const stopping = new AbortController();

  const retry = async (payload: EventEnvelope, attempt: number, delayMs: number): Promise<DeliveryOutcome> => {
    try {
      await retryWhileUnavailable(() => addRetryToOutbox(pool, { queue, payload, attempt, delayMs }), {
        delayMs: STORE_RETRY_MS,
        signal: stopping.signal,
        onRetry: (error, failed) => {
          if (failed === 1)
            log.warn(
              { err: error, queue, ...eventFields(payload) },
              'failed to store a retry; retrying until the database is available',
            );
        },
      });
      return { kind: 'ack' };
    } catch (error) {
      log.warn({ err: error, queue, ...eventFields(payload) }, 'could not store a retry; the event is requeued');
      return { kind: 'requeue' };
    }
  };

  const settle = async ({ payload, attempt }: Delivery): Promise<DeliveryOutcome> => {
    // An event with another contract is rejected by the first handler.
    const handler = handlers.get((payload as Partial<EventEnvelope> | null)?.type ?? '') ?? options;
    let event: EventEnvelope;
    try {
      event = parseEvent(handler.contract, payload);
    } catch (error) {
      log.error({ err: error, queue }, 'could not parse an event; it is dead-lettered');
      observe('malformed', 0);
      return { kind: 'deadLetter', error: reasonOf(error) };
    }
    const ageSeconds = Math.max(0, (Date.now() - Date.parse(event.time)) / 1000);
    const span = tracing?.isOn ? startSpan(tracing, queue, event) : null;
    try {
      await (handler as EventHandler<EventContract>).consume(
        span ? { ...event, traceparent: span.traceparent } : event,
      );
      span?.end();
      observe('consumed', ageSeconds);
      if (options.logsEvents) log.info({ queue, type: event.type, ...eventFields(event) }, 'consumed an event');
      return { kind: 'ack' };
    } catch (error) {
      span?.end({}, error);
      if (error instanceof TryAgainLater) {
        observe('later', ageSeconds);
        return retry(event, attempt, error.delayMs);
      }
      if (isDependencyFailure(error)) {
        observe('unavailable', ageSeconds);
        log.warn(
          { err: error, queue, ...eventFields(event) },
          'could not consume an event, because a server is unavailable',
        );
        return retry(event, attempt, UNAVAILABLE_RETRY_MS);
      }
      const failed = attempt + 1;
      observe(failed >= MAX_ATTEMPTS ? 'dead' : 'failed', ageSeconds);
      log.warn({ err: error, queue, ...eventFields(event), attempt: failed }, 'could not consume an event');
      if (failed >= MAX_ATTEMPTS) {
        log.error({ queue, ...eventFields(event) }, 'an event failed too often; it is dead-lettered');
        return { kind: 'deadLetter', error: reasonOf(error) };
      }
      return retry(event, failed, retryDelayMs(failed));
    }
  };

  const definition = { name: queue, bindings: options.bindings, prefetch: options.concurrency };
  const consumption = await bus.consume(definition, settle);
  return {
    stop: () => {
      stopping.abort();
      return consumption.stop();
    },
  };
}

function startSpan(tracing: Tracing, queue: string, event: EventEnvelope): TraceSpan | null {
  const { organizationId, messageId } = eventFields(event);
  const attributes = {
    'messaging.destination.name': queue,
    'messaging.message.id': event.id,
    'heliograph.organization_id': organizationId ?? '',
    ...(typeof messageId === 'string' && { 'heliograph.message_id': messageId }),
  };
  return tracing.start(`process ${queue}`, { kind: 'consumer', parent: event.traceparent, attributes });
}

/** The ids by which an event is found in the logs of all services: those of its request, organization and message. */
export function eventFields({ id, organizationId, workspaceId, correlationId, traceparent, data }: EventEnvelope): {
  eventId: string;
  requestId: string | null;
  organizationId: string | null;
  workspaceId: string | null;
  messageId?: unknown;
  traceId?: string | undefined;
} {
  const ids = { eventId: id, requestId: correlationId, organizationId, workspaceId };
  const fields = traceparent === undefined ? ids : { ...ids, traceId: parseTraceparent(traceparent)?.traceId };
  return typeof data === 'object' && data !== null && 'messageId' in data
    ? { ...fields, messageId: data.messageId }
    : fields;
}

/**
 * Delay before a retry in ms: 1 s, 2 s, 4 s ... 5 min, each reduced randomly by up to 50 %, so that retries spread
 * out.
 */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
  return Math.round(full * (1 - random() / 2));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
