import type { ConfirmChannel } from 'amqplib';
import { parseJson } from './rabbit-message';
import { RabbitSubscription, type SubscriptionEvents } from './rabbit-subscription';

/**
 * Subscribes to event types through an exclusive, server-named queue, which is deleted with the channel. Messages are
 * not acknowledged, because missed events are not redelivered.
 */
export class RabbitSubscriber extends RabbitSubscription {
  constructor(
    private readonly exchange: string,
    private readonly types: readonly string[],
    private readonly onEvent: (payload: unknown) => void,
    events: SubscriptionEvents,
  ) {
    super(events);
  }

  protected async consumeFrom(channel: ConfirmChannel): Promise<void> {
    await channel.assertExchange(this.exchange, 'topic', { durable: true });
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
    for (const type of this.types) await channel.bindQueue(queue, this.exchange, type);
    await channel.consume(
      queue,
      (message) => {
        // Null: the queue was deleted.
        if (message === null) this.abandon(channel);
        else this.onEvent(parseJson(message.content));
      },
      { noAck: true },
    );
  }
}
