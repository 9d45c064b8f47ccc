import type { ConfirmChannel } from 'amqplib';
import { closeChannel } from './rabbit-close';
import type { ChannelSource } from './rabbit-dead-letters';

export interface SubscriptionEvents {
  /** The channel closed by itself, with its connection or without it. */
  lost: (subscription: RabbitSubscription) => void;
  failed: (error: Error) => void;
}

/** What reads from the broker over a channel of its own, opened anew on every connection until it is stopped. */
export abstract class RabbitSubscription {
  protected channel: ConfirmChannel | null = null;
  private stopped = false;

  constructor(private readonly events: SubscriptionEvents) {}

  async open(model: ChannelSource): Promise<void> {
    if (this.stopped || this.channel) return;
    try {
      const channel = await model.createConfirmChannel();
      // Somebody may have stopped it meanwhile, or waited for a connection that opened everything by itself.
      if (this.stopped || this.channel) return await closeChannel(channel);
      this.channel = channel;
      channel.on('error', this.events.failed);
      channel.on('close', () => {
        if (this.channel !== channel) return;
        this.channel = null;
        this.hasLost();
        if (!this.stopped) this.events.lost(this);
      });
      await this.subscribe(channel);
    } catch (error) {
      // One that is stopped while it opens has lost its channel for that: no reason to begin a new connection.
      if (!this.stopped) throw error;
    }
  }

  /** Resolves when what is in hand is settled, and nothing more comes. */
  async stop(): Promise<void> {
    this.stopped = true;
    const { channel } = this;
    if (!channel) return;
    await this.finish(channel);
    this.channel = null;
    await closeChannel(channel);
  }

  protected abstract subscribe(channel: ConfirmChannel): Promise<void>;

  protected hasLost(): void {}

  protected finish(_channel: ConfirmChannel): Promise<void> {
    return Promise.resolve();
  }
}
