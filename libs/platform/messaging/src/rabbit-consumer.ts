import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Delivery, QueueDefinition, Verdict } from './bus';
import { attemptOf, ERROR, parseJson } from './rabbit-message';
import { declareQueue } from './rabbit-queues';
import { RabbitSubscription, type SubscriptionEvents } from './rabbit-subscription';

const REQUEUE_DELAY_MS = 1_000;

/** Where a consumer's queue is on the broker. */
export interface QueuePlace {
  exchange: string;
  /** With the prefix. */
  name: string;
  /** See RabbitBusOptions. */
  expiresMs: number | undefined;
}

/** Takes what comes to a queue, and settles each message by the verdict on it. */
export class RabbitConsumer extends RabbitSubscription {
  private tag: string | null = null;
  private inHand = 0;
  private onSettled: (() => void) | null = null;

  constructor(
    readonly queue: QueueDefinition,
    private readonly place: QueuePlace,
    private readonly consume: (delivery: Delivery) => Promise<Verdict>,
    events: SubscriptionEvents,
  ) {
    super(events);
  }

  /** How many messages wait; null while there is no channel to ask over. */
  async depth(): Promise<number | null> {
    const { channel } = this;
    return channel && (await channel.checkQueue(this.place.name)).messageCount;
  }

  protected async subscribe(channel: ConfirmChannel): Promise<void> {
    const { exchange, name, expiresMs } = this.place;
    this.tag = null;
    this.inHand = 0;
    await declareQueue(channel, exchange, name, this.queue.bindings, expiresMs);
    await channel.prefetch(this.queue.prefetch);
    const { consumerTag } = await channel.consume(name, (message) => {
      // Null: the queue was deleted or moved; a new consumer is what finds it again.
      if (message === null) channel.close().catch(() => undefined);
      else void this.settle(channel, message);
    });
    this.tag = consumerTag;
  }

  protected override hasLost(): void {
    this.onSettled?.();
  }

  protected override async finish(channel: ConfirmChannel): Promise<void> {
    if (this.tag !== null) await channel.cancel(this.tag).catch(() => undefined);
    if (this.inHand > 0) await new Promise<void>((resolve) => (this.onSettled = resolve));
  }

  private async settle(channel: ConfirmChannel, message: ConsumeMessage): Promise<void> {
    this.inHand++;
    const verdict = await this.consume({ payload: parseJson(message.content), attempt: attemptOf(message) });
    if (verdict.kind === 'again') await new Promise((resolve) => setTimeout(resolve, REQUEUE_DELAY_MS));
    // The channel may be gone meanwhile: then the broker hands the message out again.
    if (this.channel !== channel) return;
    if (verdict.kind === 'done') channel.ack(message);
    else if (verdict.kind === 'again') channel.nack(message, false, true);
    else await this.bury(channel, message, verdict.error);
    this.inHand--;
    if (this.inHand === 0) this.onSettled?.();
  }

  /** To the dead-letter queue with the reason in a header, and only then away from its own. */
  private async bury(channel: ConfirmChannel, message: ConsumeMessage, error: string): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const headers = { ...message.properties.headers, [ERROR]: error.slice(0, 1_000) };
        channel.sendToQueue(
          `${this.place.name}.dead`,
          message.content,
          { persistent: true, contentType: 'application/json', headers },
          (failure: unknown) => (failure ? reject(new Error('the broker refused a dead letter')) : resolve()),
        );
      });
      if (this.channel === channel) channel.ack(message);
    } catch {
      if (this.channel === channel) channel.nack(message, false, true);
    }
  }
}
