import { SetMetadata } from '@nestjs/common';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { isLoggedQueue, QUEUES, type EventContract, type EventOf } from '@heliograph/contracts';
import { decoratedMethods, type Tracing } from '@heliograph/service-kit';
import type { Pool } from 'pg';
import type { Bus, Consumption } from './bus';
import type { ConsumerMetrics } from './consumer-metrics';
import { consumeEvents, type ConsumerLog, type EventHandler } from './event-consumer';

export interface ConsumesOptions {
  /** `<service>.<purpose>` */
  queue: string;
  /** Maximum number of concurrent events: a number, or the name of the environment variable that contains it. */
  concurrency: number | Uppercase<string>;
}

export interface ConsumerMetadata extends ConsumesOptions {
  contract: EventContract;
}

interface ConsumerMethod {
  metadata: ConsumerMetadata;
  call: (...args: unknown[]) => unknown;
}

const CONSUMES = 'heliograph:consumes';

/**
 * Makes a method of a provider the consumer of an event, or of several, in a queue of `QUEUES`. A method may have several
 * decorators, and several methods may share a queue, for different events. The method must be idempotent,
 * because the same event may arrive twice. An error is retried with exponential back-off and ends as a dead letter;
 * `TryAgainLater` sets the delay. Processes with the role `api` consume nothing.
 */
export const Consumes =
  <C extends EventContract>(contracts: C | readonly C[], options: ConsumesOptions) =>
  <M extends (event: EventOf<C>) => Promise<void>>(
    target: object,
    property: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    const others = (Reflect.getMetadata(CONSUMES, descriptor.value as object) ?? []) as ConsumerMetadata[];
    const own = [contracts].flat().map((contract): ConsumerMetadata => ({ ...options, contract }));
    SetMetadata(CONSUMES, [...own, ...others])(target, property, descriptor);
  };

export interface ConsumersContext {
  bus: Bus;
  pool: Pool;
  log: ConsumerLog;
  metrics: ConsumerMetrics | null;
  tracing: Tracing | undefined;
  /** The configuration of the service, with the variables that `concurrency` names. */
  config: object;
}

/** The consumers that the methods of a class declare. */
export function consumersOf(target: { prototype: object }): ConsumerMetadata[] {
  const methods = Object.values(Object.getOwnPropertyDescriptors(target.prototype));
  return methods.flatMap(({ value }) =>
    typeof value === 'function' ? ((Reflect.getMetadata(CONSUMES, value) ?? []) as ConsumerMetadata[]) : [],
  );
}

/** Finds the methods with `@Consumes()` and consumes their queues. */
export class Consumers {
  private consumptions: Consumption[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly context: ConsumersContext,
  ) {}

  async start(): Promise<void> {
    const { bus, pool, log, metrics, tracing } = this.context;
    this.check();
    for (const [queue, [first, ...others]] of this.methodsByQueue()) {
      const declared = QUEUES.find(({ name }) => name === queue);
      if (!first || !declared) continue;
      const handlerOf = ({ metadata, call }: ConsumerMethod): EventHandler<EventContract> => ({
        contract: metadata.contract,
        consume: async (event) => {
          await call(event);
        },
      });
      const consumption = await consumeEvents(bus, pool, log, {
        queue,
        bindings: declared.bindings,
        concurrency: this.concurrencyOf(first.metadata),
        logsEvents: isLoggedQueue(queue),
        ...(tracing && { tracing }),
        ...(metrics && { observe: metrics.observerOf(queue) }),
        ...handlerOf(first),
        others: others.map(handlerOf),
      });
      this.consumptions.push(consumption);
    }
  }

  /** Throws if a method consumes an event that `QUEUES` does not route to its queue: other services would drop it. */
  check(): void {
    for (const [queue, methods] of this.methodsByQueue()) {
      const events = QUEUES.find(({ name }) => name === queue)?.events ?? [];
      for (const { metadata } of methods) {
        const { type } = metadata.contract;
        if (events.includes(type)) continue;
        throw new Error(`The queue ${queue} does not receive ${type}. Add it in libs/contracts/src/queues.ts.`);
      }
    }
  }

  /** Ends the deliveries. Resolves when all events in flight are settled. */
  async stop(): Promise<void> {
    await Promise.all(this.consumptions.map((consumption) => consumption.stop()));
  }

  private methodsByQueue(): Map<string, ConsumerMethod[]> {
    const queues = new Map<string, ConsumerMethod[]>();
    for (const { metadata, call } of decoratedMethods<ConsumerMetadata[]>(this.discovery, this.scanner, CONSUMES)) {
      for (const one of metadata) queues.set(one.queue, [...(queues.get(one.queue) ?? []), { metadata: one, call }]);
    }
    return queues;
  }

  private concurrencyOf({ queue, concurrency }: ConsumerMetadata): number {
    if (typeof concurrency === 'number') return concurrency;
    const value: unknown = Reflect.get(this.context.config, concurrency);
    if (typeof value !== 'number')
      throw new TypeError(`The queue ${queue} needs ${concurrency} as a number in the configuration.`);
    return value;
  }
}
