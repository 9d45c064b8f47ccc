import {
  DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  OnApplicationBootstrap,
  BeforeApplicationShutdown,
  OnModuleDestroy,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { isMandatoryEvent, QUEUES, STORED_QUEUES } from '@heliograph/contracts';
import { ChangeFeed } from '@heliograph/database';
import { LaneObserver } from '@heliograph/fairness';
import { Health, METRICS, Tracing } from '@heliograph/service-kit';
import type { Registry } from 'prom-client';
import { Pool } from 'pg';
import { Backlog } from './outbox/backlog';
import type { Bus } from './bus';
import { ConsumerMetrics } from './consumer-metrics';
import { Consumers } from './consumes';
import type { ConsumerLog } from './event-consumer';
import { OutboxNotifications } from './outbox/outbox-notifications';
import { LocalBus } from './local/local-bus';
import type { MessagingConfig } from './messaging.config';
import { RabbitBus, type BusLog } from './rabbit/rabbit-bus';
import { registerJobMetrics } from './jobs/job-metrics';
import { Relay } from './outbox/relay';
import { registerOutboxMetrics } from './outbox/outbox-metrics';
import { registerRelayMetrics } from './outbox/relay-metrics';
import { registerServers } from './server-health';
import type { JobSourceName } from './sweep/job-sources';
import { registerStoredQueueMetrics } from './stored/stored-queue-metrics';
import { StoredQueues } from './stored/stored-queues';
import { Sweeper } from './sweep/sweeper';
import { TraceStore } from './traces/trace-store';

export const BUS = Symbol('Bus');
/** Maximum time that a start waits for a broker that accepts connections but responds slowly. */
const SET_UP_MS = 30_000;

export interface MessagingModuleOptions {
  config: MessagingConfig;
  applicationName: string;
  log: BusLog & ConsumerLog;
  /** Whether the process runs the relay and the consumers. False in a process with the role `api`. */
  relays: boolean;
  /** The jobs of this service that are published again if the broker loses their events. */
  jobSources?: readonly JobSourceName[];
}

/**
 * Starts consumers and relay after all features are initialized. Every process declares the queues of all services
 * (`QUEUES`) and becomes ready after they exist; it does not wait for a broker that is unavailable. On shutdown, the
 * deliveries end while the features drain; relay and bus stop when the events in flight are settled.
 */
@Injectable()
class MessagingLifecycle implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private consumersStopped: Promise<void> = Promise.resolve();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly consumers: Consumers,
    private readonly relay: Relay,
    private readonly notifications: OutboxNotifications,
    @Inject('MESSAGING_OPTIONS') private readonly options: MessagingModuleOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { relays } = this.options;
    if (relays) await this.consumers.start();
    else this.consumers.check();
    await this.bus.untilSetUp(SET_UP_MS);
    if (relays) this.relay.start();
  }

  onModuleDestroy(): void {
    this.consumersStopped = this.consumers.stop();
    // Awaited in beforeApplicationShutdown(); until then, a rejection must not count as unhandled.
    this.consumersStopped.catch(() => undefined);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumersStopped;
    await this.relay.stop();
    this.notifications.stop();
    await this.bus.stop();
  }
}

@Global()
@Module({})
export class MessagingModule {
  static forRoot(options: MessagingModuleOptions): DynamicModule {
    const { config, log } = options;
    const jobSources = options.relays ? (options.jobSources ?? []) : [];
    return {
      module: MessagingModule,
      imports: [DiscoveryModule],
      providers: [
        {
          provide: Consumers,
          inject: [
            DiscoveryService,
            MetadataScanner,
            BUS,
            Pool,
            { token: METRICS, optional: true },
            { token: Tracing, optional: true },
          ],
          useFactory: (
            discovery: DiscoveryService,
            scanner: MetadataScanner,
            bus: Bus,
            pool: Pool,
            registry: Registry | undefined,
            tracing: Tracing | undefined,
          ) => {
            const metrics = registry && options.relays ? new ConsumerMetrics(registry, bus) : null;
            return new Consumers(discovery, scanner, { bus, pool, log, config, metrics, tracing });
          },
        },
        { provide: 'MESSAGING_OPTIONS', useValue: options },
        {
          provide: BUS,
          inject: [StoredQueues],
          useFactory: async (bus: StoredQueues): Promise<Bus> => {
            await bus.start();
            for (const queue of QUEUES) await bus.declareQueue(queue);
            return bus;
          },
        },
        {
          provide: StoredQueues,
          inject: [Pool, ChangeFeed, { token: METRICS, optional: true }, { token: Tracing, optional: true }],
          useFactory: (
            pool: Pool,
            feed: ChangeFeed,
            registry: Registry | undefined,
            tracing: Tracing | undefined,
          ): StoredQueues => {
            const bus: Bus = config.AMQP_URL
              ? new RabbitBus({
                  url: config.AMQP_URL,
                  prefix: config.AMQP_PREFIX,
                  connectionName: options.applicationName,
                  queueExpiresMs: config.AMQP_QUEUE_EXPIRES_MS,
                  isMandatory: isMandatoryEvent,
                  log,
                })
              : new LocalBus(pool, isMandatoryEvent);
            const queues = new StoredQueues(pool, bus, { log, feed, ...(tracing && { tracing }) }, STORED_QUEUES);
            if (registry && options.relays) registerStoredQueueMetrics(registry, queues);
            return queues;
          },
        },
        {
          provide: OutboxNotifications,
          inject: [Pool, ChangeFeed],
          useFactory: (pool: Pool, feed: ChangeFeed) => new OutboxNotifications(pool, feed, !options.relays),
        },
        {
          provide: Relay,
          inject: [Pool, BUS, OutboxNotifications, { token: LaneObserver, optional: true }],
          useFactory: (pool: Pool, bus: Bus, notifications: OutboxNotifications, observer: LaneObserver | undefined) =>
            new Relay(pool, bus, log, notifications, {
              weights: config.JOB_WEIGHTS,
              windowMs: config.JOB_WINDOW_MS,
              ...(observer && { observer }),
            }),
        },
        {
          provide: Backlog,
          inject: [Pool, Relay],
          useFactory: (pool: Pool, relay: Relay) => new Backlog(pool, config.OUTBOX_MAX_BACKLOG, relay),
        },
        {
          provide: Sweeper,
          inject: [Pool, BUS, { token: Health, optional: true }, { token: METRICS, optional: true }],
          useFactory: (pool: Pool, bus: Bus, health: Health | undefined, registry: Registry | undefined) => {
            const sweeper = new Sweeper(pool, bus, log, { sources: jobSources, afterMs: config.REQUEUE_AFTER_MS });
            if (health) sweeper.registerHealth(health);
            if (registry && jobSources.length > 0) sweeper.registerMetrics(registry);
            return sweeper;
          },
        },
        MessagingLifecycle,
        {
          provide: TraceStore,
          inject: [Pool, { token: Tracing, optional: true }],
          useFactory: (pool: Pool, tracing: Tracing | undefined) => {
            const store = new TraceStore(pool);
            if (tracing) tracing.store = (request, traceparent) => store.store(request, traceparent);
            return store;
          },
        },
        {
          provide: 'SERVER_HEALTH',
          inject: [{ token: Health, optional: true }, Pool, BUS],
          useFactory: (health: Health | undefined, pool: Pool, bus: Bus) =>
            health && registerServers(health, pool, bus),
        },
        {
          provide: 'RELAY_METRICS',
          inject: [{ token: METRICS, optional: true }, Relay, Backlog, Pool],
          useFactory: (registry: Registry | undefined, relay: Relay, backlog: Backlog, pool: Pool) => {
            if (!registry) return;
            registerRelayMetrics(registry, relay, backlog);
            if (!options.relays) return;
            registerJobMetrics(registry, pool);
            registerOutboxMetrics(registry, pool);
          },
        },
      ],
      exports: [BUS, Relay, Backlog],
    };
  }
}
