import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type ConfirmChannel, type RecoveringChannelModel, type Replies } from 'amqplib';
import type {
  Bus,
  Consumption,
  DeadLetter,
  Delivery,
  IsMandatory,
  DeclaredQueue,
  MovedEvent,
  OutgoingEvent,
  QueueDefinition,
  DeliveryOutcome,
} from '../bus';
import { closedInTime } from './rabbit-close';
import { RabbitConsumer } from './rabbit-consumer';
import { listDeadLetters, replayDeadLetters, type ChannelSource } from './rabbit-dead-letters';
import { OUTBOX_ID } from './rabbit-message';
import { moveEvents } from './rabbit-move';
import { publishConfirmed } from './rabbit-publish';
import { RabbitSubscriber } from './rabbit-subscriber';
import { declareQueue } from './rabbit-queues';
import type { RabbitSubscription, SubscriptionEvents } from './rabbit-subscription';

const REOPEN_DELAY_MS = 500;
/** Interval of the check that finds deleted queues, and consumers that the broker no longer serves. */
const QUEUE_CHECK_MS = 15_000;

export interface RabbitBusOptions {
  url: string;
  /** Prefix of the exchange and queue names. */
  prefix: string;
  connectionName: string;
  /** RabbitMQ deletes queues that are unused for this long, including their messages. Undefined: never. */
  queueExpiresMs?: number | undefined;
  /** For tests: the interval of the search for deleted queues. */
  queueCheckMs?: number;
  isMandatory: IsMandatory;
  log: BusLog;
}

export interface BusLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

interface ReturnedMessage {
  fields: { replyText?: string };
  properties: { headers?: Record<string, unknown> };
}

/**
 * The bus over RabbitMQ: one durable topic exchange, and one quorum queue with a dead-letter queue per service and
 * purpose. Messages are persistent and publishing waits for confirms. The connection and its consumers recover
 * automatically.
 */
export class RabbitBus implements Bus {
  private model: RecoveringChannelModel | null = null;
  private publisher: ConfirmChannel | null = null;
  private connected = false;
  private blocked = false;
  private stopped = false;
  private readonly consumers = new Set<RabbitConsumer>();
  private readonly subscribers = new Set<RabbitSubscriber>();
  private readonly declared = new Map<string, DeclaredQueue>();
  private readonly returned = new Map<string, string>();
  private readonly exchange: string;
  /** Resolves after the first set-up or the first failure. */
  private readonly firstAttempt: Promise<void>;
  private endFirstAttempt: () => void = () => undefined;
  private checkTimer: NodeJS.Timeout | undefined;
  private declaring: Promise<void> | null = null;
  /** The channel that reads the depth of queues. A missing queue closes it. */
  private inspector: Promise<ConfirmChannel> | null = null;

  constructor(private readonly options: RabbitBusOptions) {
    this.exchange = `${options.prefix}events`;
    this.firstAttempt = new Promise((resolve) => (this.endFirstAttempt = resolve));
  }

  /** False while disconnected or blocked by the broker (memory or disk alarm). Events then wait in the outbox. */
  get ready(): boolean {
    return this.publisher !== null && !this.blocked;
  }

  get queueNames(): string[] {
    return [...this.declared.keys(), ...[...this.consumers].map(({ queue }) => queue.name)];
  }

  async start(): Promise<void> {
    this.checkTimer = setInterval(() => void this.restoreQueues(), this.options.queueCheckMs ?? QUEUE_CHECK_MS).unref();
    this.model = await connect(this.options.url, {
      clientProperties: { connection_name: this.options.connectionName },
      timeout: 5_000,
      recovery: {
        initialDelay: 200,
        maxDelay: 5_000,
        jitter: 0.5,
        // A broker that is unavailable at the start is retried like a lost connection.
        waitForConnect: false,
        setup: (model: ChannelSource & EventEmitter) => this.setUp(model),
      },
    });
    this.model.on('disconnect', (error: Error) => {
      this.connected = false;
      this.publisher = null;
      this.endFirstAttempt();
      this.options.log.warn({ err: error }, 'disconnected from the broker');
    });
    this.model.on('blocked', (reason: string) => {
      this.blocked = true;
      this.options.log.warn({ reason }, 'the broker blocked the connection');
    });
    this.model.on('unblocked', () => (this.blocked = false));
    // Connection errors are logged in setUp(). Without a listener, an `error` event would end the process.
    this.model.on('error', () => undefined);
    this.model.on('connect-failed', (error: Error) => {
      this.connected = false;
      this.endFirstAttempt();
      this.options.log.warn({ err: error }, 'could not connect to the broker');
    });
  }

  async untilSetUp(timeoutMs: number): Promise<void> {
    const waiting = new AbortController();
    const late = delay(timeoutMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([this.firstAttempt, late]);
    waiting.abort();
  }

  /**
   * Runs after every connect. Queues are declared first, because an event that is published before its queue is bound
   * is lost.
   */
  private async setUp(model: ChannelSource & EventEmitter): Promise<void> {
    // During the set-up there is no other listener, and an unhandled `error` event would end the process.
    model.on('error', (error: Error) => this.options.log.warn({ err: error }, 'broker connection error'));
    // Subscriptions and queues that are added later open themselves: see addSubscription() and declareQueue().
    const subscriptions = [...this.consumers, ...this.subscribers];
    const declared = [...this.declared.values()];
    this.connected = true;
    this.blocked = false;
    await this.declareQueues(model, declared);
    for (const subscription of subscriptions) await subscription.open(model);
    await this.openPublisher(model);
    this.endFirstAttempt();
    this.options.log.info({ exchange: this.exchange }, 'connected to the broker');
  }

  private async openPublisher(model: ChannelSource): Promise<void> {
    const channel = await model.createConfirmChannel();
    channel.on('error', (error: Error) => this.options.log.warn({ err: error }, 'error on the publishing channel'));
    channel.on('close', () => {
      if (this.publisher !== channel) return;
      this.publisher = null;
      this.reopenLater((model) => this.openPublisher(model));
    });
    channel.on('return', (message: ReturnedMessage) => {
      const id = message.properties.headers?.[OUTBOX_ID];
      if (typeof id === 'string') this.returned.set(id, message.fields.replyText ?? 'unroutable');
    });
    await channel.assertExchange(this.exchange, 'topic', { durable: true });
    this.publisher = channel;
  }

  /**
   * Reopens a channel that was closed while its connection is still open, for example by an operator or a consumer
   * time-out.
   */
  private reopenLater(open: (model: ChannelSource) => Promise<void>): void {
    const timer = setTimeout(() => {
      // After a lost connection, setUp() opens all channels.
      if (this.stopped || !this.connected || !this.model) return;
      open(this.model).catch((error: unknown) => {
        this.options.log.warn({ err: error }, 'could not reopen a channel');
        this.reopenLater(open);
      });
    }, REOPEN_DELAY_MS);
    timer.unref();
  }

  async publish(events: OutgoingEvent[]): Promise<Map<string, string>> {
    const channel = this.publisher;
    if (!channel) throw new Error('not connected to the broker');
    const addressed = events.map((event) => ({
      event,
      exchange: event.queue === null ? this.exchange : '',
      routingKey: event.queue === null ? (event.routingKey ?? event.type) : this.queueName(event.queue),
      mandatory: event.queue !== null || this.options.isMandatory(event.type),
    }));
    const refused = await publishConfirmed(channel, addressed, this.returned);
    // A queue was deleted. The relay publishes these events again.
    if (refused.size > 0) void this.declareAgain();
    return refused;
  }

  /** Declares the queues again if one of them no longer exists, and replaces consumers that receive nothing. */
  private async restoreQueues(): Promise<void> {
    if (!this.connected || !this.model) return;
    const tags = new Map([...this.consumers].map((consumer) => [consumer, consumer.tag]));
    const states = await this.queueStates(this.model);
    if (states === 'missing') {
      this.options.log.warn({}, 'a queue is missing on the broker; the queues are declared again');
      await this.declareAgain();
      return;
    }
    for (const [consumer, tag] of tags) {
      const state = states.get(consumer.queue.name);
      if (!state || !consumer.isLost(state, tag)) continue;
      this.options.log.warn({ source: consumer.queue.name }, 'the broker no longer serves a consumer; it is replaced');
      consumer.replace();
    }
  }

  /** Reads the queues of this process. Empty if the connection is lost: the next connect declares the queues. */
  private async queueStates(model: ChannelSource): Promise<Map<string, Replies.AssertQueue> | 'missing'> {
    const states = new Map<string, Replies.AssertQueue>();
    try {
      const channel = await model.createConfirmChannel();
      // A missing queue closes the channel with an error.
      channel.on('error', () => undefined);
      try {
        for (const name of new Set(this.queueNames)) {
          await channel.checkQueue(`${this.queueName(name)}.dead`);
          states.set(name, await channel.checkQueue(this.queueName(name)));
        }
        return states;
      } catch {
        return 'missing';
      } finally {
        await channel.close().catch(() => undefined);
      }
    } catch {
      return states;
    }
  }

  /** Declares all queues of this process, once at a time. Never rejects: the next check tries again. */
  private declareAgain(): Promise<void> {
    const { model } = this;
    if (!this.connected || !model) return Promise.resolve();
    this.declaring ??= this.declareQueues(model, [...this.declared.values()])
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'could not declare the queues again'))
      .finally(() => (this.declaring = null));
    return this.declaring;
  }

  consume(queue: QueueDefinition, consume: (delivery: Delivery) => Promise<DeliveryOutcome>): Promise<Consumption> {
    const name = this.queueName(queue.name);
    const address = { exchange: this.exchange, name, expiresMs: this.options.queueExpiresMs };
    const consumer = new RabbitConsumer(queue, address, consume, this.eventsOf(name));
    return this.addSubscription(name, consumer, this.consumers);
  }

  subscribe(types: readonly string[], onEvent: (payload: unknown) => void): Promise<Consumption> {
    const name = types.join(', ');
    const subscriber = new RabbitSubscriber(this.exchange, types, onEvent, this.eventsOf(name));
    return this.addSubscription(name, subscriber, this.subscribers);
  }

  private eventsOf(name: string): SubscriptionEvents {
    return {
      onChannelLost: (subscription) => this.reopenLater((model) => subscription.open(model)),
      onError: (error) => this.options.log.warn({ err: error, source: name }, 'error on the consumer channel'),
    };
  }

  private async addSubscription<S extends RabbitSubscription>(
    name: string,
    subscription: S,
    all: Set<S>,
  ): Promise<Consumption> {
    all.add(subscription);
    if (this.connected && this.model) {
      // The next connect opens it.
      await subscription.open(this.model).catch((error: unknown) => {
        this.options.log.warn(
          { err: error, source: name },
          'could not open a subscription; retrying after the next connect',
        );
      });
    }
    return {
      stop: async () => {
        all.delete(subscription);
        await subscription.stop();
      },
    };
  }

  async declareQueue(queue: DeclaredQueue): Promise<void> {
    this.declared.set(queue.name, queue);
    if (!this.connected || !this.model) return;
    try {
      await this.declareQueues(this.model, [queue]);
    } catch (error) {
      // The next connect declares it.
      this.options.log.warn(
        { err: error, queue: queue.name },
        'could not declare a queue; retrying after the next connect',
      );
    }
  }

  private async declareQueues(model: ChannelSource, queues: DeclaredQueue[]): Promise<void> {
    if (queues.length === 0) return;
    const channel = await model.createConfirmChannel();
    channel.on('error', (error: Error) =>
      this.options.log.warn({ err: error }, 'error on the channel for queue declarations'),
    );
    try {
      for (const { name, bindings } of queues) {
        await declareQueue(channel, this.exchange, this.queueName(name), bindings, this.options.queueExpiresMs);
      }
    } finally {
      // After an error, the channel is already closed.
      await channel.close().catch(() => undefined);
    }
  }

  async deadLetters(queue: string, limit: number): Promise<DeadLetter[]> {
    return listDeadLetters(await this.connection(), this.queueName(queue), limit);
  }

  async replay(queue: string, limit: number): Promise<number> {
    return replayDeadLetters(await this.connection(), this.queueName(queue), limit);
  }

  private async connection(): Promise<ChannelSource> {
    if (!this.model) throw new Error('the bus is not started');
    return this.model.waitForConnect();
  }

  async moveEvents({ name, bindings }: DeclaredQueue, move: (events: MovedEvent[]) => Promise<void>): Promise<void> {
    const queue = { exchange: this.exchange, name: this.queueName(name), bindings };
    await moveEvents(await this.connection(), queue, move);
  }

  depth(queue: string): Promise<number | null> {
    return this.messageCount(this.queueName(queue));
  }

  deadLetterCount(queue: string): Promise<number | null> {
    return this.messageCount(`${this.queueName(queue)}.dead`);
  }

  private async messageCount(name: string): Promise<number | null> {
    const { model } = this;
    if (!this.connected || !model) return null;
    const opening = (this.inspector ??= this.openInspector(model));
    try {
      return (await (await opening).checkQueue(name)).messageCount;
    } catch {
      // The queue does not exist, which closes the channel, or the connection is lost.
      if (this.inspector === opening) this.inspector = null;
      return null;
    }
  }

  private async openInspector(model: ChannelSource): Promise<ConfirmChannel> {
    const channel = await model.createConfirmChannel();
    channel.on('error', () => undefined);
    return channel;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.checkTimer);
    this.publisher = null;
    await closedInTime(this.model?.close());
  }

  private queueName(queue: string): string {
    return `${this.options.prefix}${queue}`;
  }
}
