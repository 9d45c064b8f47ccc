import type { Channel } from 'amqplib';
import type { ChannelSource } from './rabbit-dead-letters';
import { closeChannel } from './rabbit-close';
import { parseJson } from './rabbit-message';

interface ListenerEvents {
  /** The channel closed by itself, without its connection or with it. */
  lost: () => void;
  failed: (error: Error) => void;
}

/**
 * One process's own queue on the exchange: the broker names it, no other process sees it, and it goes with the channel.
 * What nobody heard is not kept, so nothing is acknowledged either.
 */
export class RabbitListener {
  private channel: Channel | null = null;
  private stopped = false;

  constructor(
    private readonly exchange: string,
    private readonly types: readonly string[],
    private readonly hear: (payload: unknown) => void,
    private readonly events: ListenerEvents,
  ) {}

  async open(model: ChannelSource): Promise<void> {
    if (this.stopped || this.channel) return;
    try {
      await this.declare(model);
    } catch (error) {
      // Stopped meanwhile: its channel was taken away from under it.
      if (!this.stopped) throw error;
    }
  }

  private async declare(model: ChannelSource): Promise<void> {
    const channel = await model.createConfirmChannel();
    this.channel = channel;
    channel.on('error', this.events.failed);
    channel.on('close', () => {
      if (this.channel !== channel) return;
      this.channel = null;
      if (!this.stopped) this.events.lost();
    });
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

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.channel) await closeChannel(this.channel);
  }
}
