import type { EventEmitter } from 'node:events';
import { connect, type ConfirmChannel, type ConsumeMessage, type RecoveringChannelModel } from 'amqplib';
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
import { closeChannel, closedInTime } from './rabbit-close';
import { listDeadLetters, replayDeadLetters, type ChannelSource } from './rabbit-dead-letters';
import { attemptOf, ERROR, OUTBOX_ID, parseJson } from './rabbit-message';
import { publishConfirmed } from './rabbit-publish';
import { RabbitListener } from './rabbit-listener';
import { declareQueue } from './rabbit-queues';

const REQUEUE_DELAY_MS = 1_000;
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

interface Consumer {
  queue: QueueDefinition;
  consume: (delivery: Delivery) => Promise<Verdict>;
  channel: ConfirmChannel | null;
  tag: string | null;
  inHand: number;
  stopped: boolean;
  onSettled: (() => void) | null;
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
  private readonly consumers = new Set<Consumer>();
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
    const waiting = [...this.consumers];
    const listening = [...this.listeners];
    const kept = [...this.kept.values()];
    this.connected = true;
    this.blocked = false;
    await this.declareKept(model, kept);
    for (const consumer of waiting) await this.openUnlessStopped(consumer, model);
    for (const listener of listening) await listener.open(model);
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

  async consume(queue: QueueDefinition, consume: (delivery: Delivery) => Promise<Verdict>): Promise<Consumption> {
    const consumer: Consumer = { queue, consume, channel: null, tag: null, inHand: 0, stopped: false, onSettled: null };
    this.consumers.add(consumer);
    if (this.connected && this.model) {
      try {
        await this.openUnlessStopped(consumer, this.model);
      } catch (error) {
        // The next connect opens it.
        this.options.log.warn({ err: error, queue: queue.name }, 'could not consume yet');
      }
    }
    return { stop: () => this.stopConsumer(consumer) };
  }

  async listen(types: readonly string[], hear: (payload: unknown) => void): Promise<Consumption> {
    const listener = new RabbitListener(this.exchange, types, hear, {
      lost: () => this.reopenLater((model) => listener.open(model)),
      failed: (error) => this.options.log.warn({ err: error }, 'listening channel error'),
    });
    this.listeners.add(listener);
    if (this.connected && this.model) {
      // The next connect opens it.
      await listener.open(this.model).catch((error: unknown) => {
        this.options.log.warn({ err: error }, 'could not listen yet');
      });
    }
    return {
      stop: async () => {
        this.listeners.delete(listener);
        await listener.stop();
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

  /** One that is stopped while it opens takes its channel away from under it: no reason to begin a new connection. */
  private async openUnlessStopped(consumer: Consumer, model: ChannelSource): Promise<void> {
    if (consumer.stopped) return;
    try {
      await this.open(consumer, await model.createConfirmChannel());
    } catch (error) {
      if (!consumer.stopped) throw error;
    }
  }

  private async open(consumer: Consumer, channel: ConfirmChannel): Promise<void> {
    // Somebody may have waited for a connection that set all consumers up by itself.
    if (consumer.stopped || consumer.channel) return channel.close();
    const { queue } = consumer;
    consumer.channel = channel;
    consumer.inHand = 0;
    channel.on('error', (error: Error) =>
      this.options.log.warn({ err: error, queue: queue.name }, 'consumer channel error'),
    );
    channel.on('close', () => {
      if (consumer.channel !== channel) return;
      consumer.channel = null;
      consumer.onSettled?.();
      this.reopenLater(async (model) => {
        if (!consumer.channel) await this.openUnlessStopped(consumer, model);
      });
    });
    const name = this.queueName(queue.name);
    await declareQueue(channel, this.exchange, name, queue.bindings, this.options.queueExpiresMs);
    await channel.prefetch(queue.prefetch);
    const { consumerTag } = await channel.consume(name, (message) => {
      // Null: the queue was deleted or moved; a new consumer is what finds it again.
      if (message === null) channel.close().catch(() => undefined);
      else void this.settle(consumer, channel, message);
    });
    consumer.tag = consumerTag;
  }

  private async settle(consumer: Consumer, channel: ConfirmChannel, message: ConsumeMessage): Promise<void> {
    consumer.inHand++;
    const verdict = await consumer.consume({ payload: parseJson(message.content), attempt: attemptOf(message) });
    if (verdict.kind === 'again') await new Promise((resolve) => setTimeout(resolve, REQUEUE_DELAY_MS));
    // The channel may be gone meanwhile: then the broker hands the message out again.
    if (consumer.channel !== channel) return;
    if (verdict.kind === 'done') channel.ack(message);
    else if (verdict.kind === 'again') channel.nack(message, false, true);
    else await this.bury(consumer, channel, message, verdict.error);
    consumer.inHand--;
    if (consumer.inHand === 0) consumer.onSettled?.();
  }

  /** To the dead-letter queue with the reason in a header, and only then away from its own. */
  private async bury(
    consumer: Consumer,
    channel: ConfirmChannel,
    message: ConsumeMessage,
    error: string,
  ): Promise<void> {
    const name = `${this.queueName(consumer.queue.name)}.dead`;
    try {
      await new Promise<void>((resolve, reject) => {
        const headers = { ...message.properties.headers, [ERROR]: error.slice(0, 1_000) };
        channel.sendToQueue(
          name,
          message.content,
          { persistent: true, contentType: 'application/json', headers },
          (failure: unknown) => (failure ? reject(new Error('the broker refused a dead letter')) : resolve()),
        );
      });
      if (consumer.channel === channel) channel.ack(message);
    } catch {
      if (consumer.channel === channel) channel.nack(message, false, true);
    }
  }

  private async stopConsumer(consumer: Consumer): Promise<void> {
    consumer.stopped = true;
    this.consumers.delete(consumer);
    const { channel, tag } = consumer;
    if (!channel) return;
    if (tag) await channel.cancel(tag).catch(() => undefined);
    if (consumer.inHand > 0) await new Promise<void>((resolve) => (consumer.onSettled = resolve));
    consumer.channel = null;
    await closeChannel(channel);
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
    const channel = [...this.consumers].find((consumer) => consumer.queue.name === queue)?.channel;
    if (!channel) return null;
    return (await channel.checkQueue(this.queueName(queue))).messageCount;
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
