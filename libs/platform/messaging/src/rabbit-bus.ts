import type { EventEmitter } from 'node:events';
import { connect, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import type {
  Bus,
  Consumption,
  DeadLetter,
  Delivery,
  IsMandatory,
  KeptQueue,
  OutgoingEvent,
  QueueDefinition,
  Verdict,
} from './bus';
import { closedInTime } from './rabbit-close';
import { RabbitConsumer } from './rabbit-consumer';
import { listDeadLetters, replayDeadLetters, type ChannelSource } from './rabbit-dead-letters';
import { OUTBOX_ID } from './rabbit-message';
import { publishConfirmed } from './rabbit-publish';
import { RabbitListener } from './rabbit-listener';
import { declareQueue } from './rabbit-queues';
import type { RabbitSubscription, SubscriptionEvents } from './rabbit-subscription';

const REOPEN_DELAY_MS = 500;

export interface RabbitBusOptions {
  url: string;
  /** Before the names of the exchange and the queues. */
  prefix: string;
  connectionName: string;
  /** Queues that nobody uses for so long are removed, with what is in them. Undefined: never. */
  queueExpiresMs?: number | undefined;
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
 * Events over RabbitMQ: one durable topic exchange, one quorum queue per service and purpose, each with a
 * dead-letter queue beside it. Publishing is persistent and confirmed. The connection and its consumers come back by
 * themselves.
 */
export class RabbitBus implements Bus {
  private model: RecoveringChannelModel | null = null;
  private publisher: ConfirmChannel | null = null;
  private connected = false;
  private blocked = false;
  private stopped = false;
  private readonly consumers = new Set<RabbitConsumer>();
  private readonly listeners = new Set<RabbitListener>();
  private readonly kept = new Map<string, KeptQueue>();
  private readonly returned = new Map<string, string>();
  private readonly exchange: string;

  constructor(private readonly options: RabbitBusOptions) {
    this.exchange = `${options.prefix}events`;
  }

  /** False while the broker is away or refuses publishers (memory or disk alarm): the outbox holds what comes. */
  get ready(): boolean {
    return this.publisher !== null && !this.blocked;
  }

  async start(): Promise<void> {
    this.model = await connect(this.options.url, {
      clientProperties: { connection_name: this.options.connectionName },
      timeout: 5_000,
      recovery: {
        initialDelay: 200,
        maxDelay: 5_000,
        jitter: 0.5,
        // A broker that is away at the start is waited for like any other absence.
        waitForConnect: false,
        setup: (model: ChannelSource & EventEmitter) => this.setUp(model),
      },
    });
    this.model.on('disconnect', (error: Error) => {
      this.connected = false;
      this.publisher = null;
      this.options.log.warn({ err: error }, 'the broker is away');
    });
    this.model.on('blocked', (reason: string) => {
      this.blocked = true;
      this.options.log.warn({ reason }, 'the broker accepts no messages');
    });
    this.model.on('unblocked', () => (this.blocked = false));
    // Those of the connection are logged where it is set up; nobody listening would end the process.
    this.model.on('error', () => undefined);
    this.model.on('connect-failed', (error: Error) => {
      this.connected = false;
      this.options.log.warn({ err: error }, 'could not connect to the broker');
    });
  }

  /** After every connect: the queues first, because a job that is published before its queue is bound reaches nobody. */
  private async setUp(model: ChannelSource & EventEmitter): Promise<void> {
    // Until this is done nobody else listens, and a connection that breaks meanwhile would end the process.
    model.on('error', (error: Error) => this.options.log.warn({ err: error }, 'broker connection error'));
    // Who comes later opens its own: see consume() and keepQueue().
    const waiting = [...this.consumers, ...this.listeners];
    const kept = [...this.kept.values()];
    this.connected = true;
    this.blocked = false;
    await this.declareKept(model, kept);
    for (const subscription of waiting) await subscription.open(model);
    await this.openPublisher(model);
    this.options.log.info({ exchange: this.exchange }, 'connected to the broker');
  }

  private async openPublisher(model: ChannelSource): Promise<void> {
    const channel = await model.createConfirmChannel();
    channel.on('error', (error: Error) => this.options.log.warn({ err: error }, 'publishing channel error'));
    channel.on('close', () => {
      if (this.publisher !== channel) return;
      this.publisher = null;
      this.reopenLater((open) => this.openPublisher(open));
    });
    channel.on('return', (message: ReturnedMessage) => {
      const id = message.properties.headers?.[OUTBOX_ID];
      if (typeof id === 'string') this.returned.set(id, message.fields.replyText ?? 'unroutable');
    });
    await channel.assertExchange(this.exchange, 'topic', { durable: true });
    this.publisher = channel;
  }

  /** A channel can die alone (an operator's hand, a consumer time-out) while its connection lives on. */
  private reopenLater(open: (model: ChannelSource) => Promise<void>): void {
    const timer = setTimeout(() => {
      // A lost connection opens everything anew when it is back.
      if (this.stopped || !this.connected || !this.model) return;
      open(this.model).catch((error: unknown) => {
        this.options.log.warn({ err: error }, 'could not open a channel again');
        this.reopenLater(open);
      });
    }, REOPEN_DELAY_MS);
    timer.unref();
  }

  publish(events: OutgoingEvent[]): Promise<Map<string, string>> {
    const channel = this.publisher;
    if (!channel) return Promise.reject(new Error('the broker is away'));
    const addressed = events.map((event) => ({
      event,
      exchange: event.queue === null ? this.exchange : '',
      routingKey: event.queue === null ? event.type : this.queueName(event.queue),
      mandatory: event.queue !== null || this.options.isMandatory(event.type),
    }));
    return publishConfirmed(channel, addressed, this.returned);
  }

  consume(queue: QueueDefinition, consume: (delivery: Delivery) => Promise<Verdict>): Promise<Consumption> {
    const name = this.queueName(queue.name);
    const place = { exchange: this.exchange, name, expiresMs: this.options.queueExpiresMs };
    const consumer = new RabbitConsumer(queue, place, consume, this.eventsOf(name));
    return this.subscribe(name, consumer, this.consumers);
  }

  listen(types: readonly string[], hear: (payload: unknown) => void): Promise<Consumption> {
    const name = types.join(', ');
    const listener = new RabbitListener(this.exchange, types, hear, this.eventsOf(name));
    return this.subscribe(name, listener, this.listeners);
  }

  private eventsOf(name: string): SubscriptionEvents {
    return {
      lost: (subscription) => this.reopenLater((model) => subscription.open(model)),
      failed: (error) => this.options.log.warn({ err: error, reads: name }, 'reading channel error'),
    };
  }

  private async subscribe<S extends RabbitSubscription>(
    name: string,
    subscription: S,
    all: Set<S>,
  ): Promise<Consumption> {
    all.add(subscription);
    if (this.connected && this.model) {
      // The next connect opens it.
      await subscription.open(this.model).catch((error: unknown) => {
        this.options.log.warn({ err: error, reads: name }, 'could not read yet');
      });
    }
    return {
      stop: async () => {
        all.delete(subscription);
        await subscription.stop();
      },
    };
  }

  async keepQueue(queue: KeptQueue): Promise<void> {
    this.kept.set(queue.name, queue);
    if (!this.connected || !this.model) return;
    try {
      await this.declareKept(this.model, [queue]);
    } catch (error) {
      // The next connect makes it.
      this.options.log.warn({ err: error, queue: queue.name }, 'could not keep a queue yet');
    }
  }

  private async declareKept(model: ChannelSource, queues: KeptQueue[]): Promise<void> {
    if (queues.length === 0) return;
    const channel = await model.createConfirmChannel();
    channel.on('error', (error: Error) => this.options.log.warn({ err: error }, 'declaring channel error'));
    try {
      for (const { name, bindings } of queues) {
        await declareQueue(channel, this.exchange, this.queueName(name), bindings, this.options.queueExpiresMs);
      }
    } finally {
      // One that was refused is closed already.
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

  async depth(queue: string): Promise<number | null> {
    const consumer = [...this.consumers].find(({ queue: { name } }) => name === queue);
    return consumer ? consumer.depth() : null;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.publisher = null;
    await closedInTime(this.model?.close());
  }

  private queueName(queue: string): string {
    return `${this.options.prefix}${queue}`;
  }
}
