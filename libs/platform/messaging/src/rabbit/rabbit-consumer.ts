import type { ConfirmChannel, ConsumeMessage, Replies } from 'amqplib';
import type { Delivery, QueueDefinition, DeliveryOutcome } from '../bus';
import { attemptOf, ERROR, parseJson } from './rabbit-message';
import { declareQueue } from './rabbit-queues';
import { RabbitSubscription, type SubscriptionEvents } from './rabbit-subscription';

const REQUEUE_DELAY_MS = 1_000;

/** Name and options of a queue on the broker. */
export interface QueueAddress {
  exchange: string;
  /** Includes the prefix. */
  name: string;
  /** See RabbitBusOptions. */
  expiresMs: number | undefined;
}

/** Consumes a queue and settles each message as its consumer decides. */
export class RabbitConsumer extends RabbitSubscription {
  /** The tag of the consumer on the broker; null until the broker has accepted it. */
  tag: string | null = null;
  private inFlight = 0;
  private deliveries = 0;
  /** Number of deliveries at the previous check. */
  private checkedDeliveries = -1;
  private onSettled: (() => void) | null = null;

  constructor(
    readonly queue: QueueDefinition,
    private readonly address: QueueAddress,
    private readonly consume: (delivery: Delivery) => Promise<DeliveryOutcome>,
    events: SubscriptionEvents,
  ) {
    super(events);
  }

  /**
   * Whether the broker delivers nothing to this consumer although it should. This happens when a queue is deleted and
   * declared again at once: the new queue has the old name but not its consumers, and nobody tells them.
   *
   * @param tag the tag before the state was read.
   */
  isLost({ consumerCount, messageCount }: Replies.AssertQueue, tag: string | null): boolean {
    const isIdle = this.inFlight === 0 && this.deliveries === this.checkedDeliveries;
    this.checkedDeliveries = this.deliveries;
    if (tag === null || tag !== this.tag) return false;
    return consumerCount === 0 || (messageCount > 0 && isIdle);
  }

  /** Consumes through a new channel. The broker delivers unsettled messages again. */
  replace(): void {
    if (this.channel) this.abandon(this.channel);
  }

  protected async consumeFrom(channel: ConfirmChannel): Promise<void> {
    const { exchange, name, expiresMs } = this.address;
    this.tag = null;
    this.inFlight = 0;
    this.checkedDeliveries = -1;
    await declareQueue(channel, exchange, name, this.queue.bindings, expiresMs);
    await channel.prefetch(this.queue.prefetch);
    const { consumerTag } = await channel.consume(name, (message) => {
      // Null: the queue was deleted or moved. The next channel declares it again.
      if (message === null) this.abandon(channel);
      else this.settle(channel, message).catch(this.events.onError);
    });
    this.tag = consumerTag;
  }

  protected override onChannelLost(): void {
    this.onSettled?.();
  }

  protected override async drain(channel: ConfirmChannel): Promise<void> {
    if (this.tag !== null) await channel.cancel(this.tag).catch(() => undefined);
    if (this.inFlight > 0) await new Promise<void>((resolve) => (this.onSettled = resolve));
  }

  private async settle(channel: ConfirmChannel, message: ConsumeMessage): Promise<void> {
    this.inFlight++;
    this.deliveries++;
    const outcome = await this.consume({ payload: parseJson(message.content), attempt: attemptOf(message) });
    if (outcome.kind === 'requeue') await new Promise((resolve) => setTimeout(resolve, REQUEUE_DELAY_MS));
    // Without its channel the message cannot be settled; the broker redelivers it.
    if (this.channel !== channel) return;
    if (outcome.kind === 'ack') channel.ack(message);
    else if (outcome.kind === 'requeue') channel.nack(message, false, true);
    else await this.deadLetter(channel, message, outcome.error);
    this.inFlight--;
    if (this.inFlight === 0) this.onSettled?.();
  }

  /** Publishes to the dead-letter queue with the error in a header, then acknowledges the original. */
  private async deadLetter(channel: ConfirmChannel, message: ConsumeMessage, error: string): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const headers = { ...message.properties.headers, [ERROR]: error.slice(0, 1_000) };
        channel.sendToQueue(
          `${this.address.name}.dead`,
          message.content,
          { persistent: true, contentType: 'application/json', headers },
          (failure: unknown) => (failure ? reject(new Error('the broker rejected a dead letter')) : resolve()),
        );
      });
      if (this.channel === channel) channel.ack(message);
    } catch {
      if (this.channel === channel) channel.nack(message, false, true);
    }
  }
}
