import type { ConfirmChannel } from 'amqplib';
import { closeChannel } from './rabbit-close';
import type { ChannelSource } from './rabbit-dead-letters';

export interface SubscriptionEvents {
  /** Called when the channel is closed, with or without its connection, except through stop(). */
  onChannelLost: (subscription: RabbitSubscription) => void;
  onError: (error: Error) => void;
}

/** Consumes messages through its own channel, which is reopened after every connect until stop(). */
export abstract class RabbitSubscription {
  protected channel: ConfirmChannel | null = null;
  private stopped = false;

  constructor(protected readonly events: SubscriptionEvents) {}

  async open(model: ChannelSource): Promise<void> {
    if (this.stopped || this.channel) return;
    try {
      const channel = await model.createConfirmChannel();
      // During the await, stop() may have been called, or a new connection may have opened the subscription.
      if (this.stopped || this.channel) return await closeChannel(channel);
      this.channel = channel;
      channel.on('error', this.events.onError);
      channel.on('close', () => this.lose(channel));
      await this.consumeFrom(channel);
    } catch (error) {
      // A stopped subscription loses its channel on purpose, which is no error of the connection.
      if (!this.stopped) throw error;
    }
  }

  /** Ends the deliveries. Resolves when all deliveries in flight are settled. */
  async stop(): Promise<void> {
    this.stopped = true;
    const { channel } = this;
    if (!channel) return;
    await this.drain(channel);
    this.channel = null;
    await closeChannel(channel);
  }

  /** Replaces a channel that receives no more messages. Nothing can be settled on it from now on. */
  protected abandon(channel: ConfirmChannel): void {
    this.lose(channel);
    channel.close().catch(() => undefined);
  }

  private lose(channel: ConfirmChannel): void {
    if (this.channel !== channel) return;
    this.channel = null;
    this.onChannelLost();
    if (!this.stopped) this.events.onChannelLost(this);
  }

  protected abstract consumeFrom(channel: ConfirmChannel): Promise<void>;

  protected onChannelLost(): void {}

  protected drain(_channel: ConfirmChannel): Promise<void> {
    return Promise.resolve();
  }
}
