import type { ConfirmChannel } from 'amqplib';
import { parseJson } from './rabbit-message';
import { RabbitSubscription, type SubscriptionEvents } from './rabbit-subscription';

/**
 * One process's own queue on the exchange: the broker names it, no other process sees it, and it goes with the channel.
 * What nobody heard is not kept, so nothing is acknowledged either.
 */
export class RabbitListener extends RabbitSubscription {
  constructor(
    private readonly exchange: string,
    private readonly types: readonly string[],
    private readonly hear: (payload: unknown) => void,
    events: SubscriptionEvents,
  ) {
    super(events);
  }

  protected async subscribe(channel: ConfirmChannel): Promise<void> {
    await channel.assertExchange(this.exchange, 'topic', { durable: true });
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
    for (const type of this.types) await channel.bindQueue(queue, this.exchange, type);
    await channel.consume(
      queue,
      (message) => {
        // Null: somebody deleted the queue; the channel is of no use any more.
        if (message === null) channel.close().catch(() => undefined);
        else this.hear(parseJson(message.content));
      },
      { noAck: true },
    );
  }
}
