import type { ConfirmChannel } from 'amqplib';
import type { OutgoingEvent } from './bus';
import { ATTEMPT, OUTBOX_ID } from './rabbit-message';

const CONFIRM_TIMEOUT_MS = 20_000;

export interface AddressedEvent {
  event: OutgoingEvent;
  exchange: string;
  routingKey: string;
  /** Whether reaching no queue is a failure. */
  mandatory: boolean;
}

/**
 * Publishes, and waits until the broker has confirmed all. Resolves with those it did not take, each with the reason;
 * rejects when that is unknown. `returned` holds the ids (and reasons) that came back over this channel.
 */
export function publishConfirmed(
  channel: ConfirmChannel,
  events: AddressedEvent[],
  returned: Map<string, string>,
): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const refused = new Map<string, string>();
    let open = events.length;
    // The channel stays: what it still confirms is not waited for, and a second copy does no harm.
    const timer = setTimeout(() => finish(new Error('the broker did not confirm in time')), CONFIRM_TIMEOUT_MS);
    const onClose = (): void => finish(new Error('the channel closed before it confirmed'));
    const finish = (error?: Error): void => {
      clearTimeout(timer);
      channel.off('close', onClose);
      if (error) reject(error);
      else resolve(refused);
    };
    channel.once('close', onClose);
    for (const { event, exchange, routingKey, mandatory } of events) {
      channel.publish(
        exchange,
        routingKey,
        Buffer.from(event.body),
        {
          persistent: true,
          mandatory,
          type: event.type,
          contentType: 'application/json',
          headers: { [OUTBOX_ID]: event.id, [ATTEMPT]: event.attempt },
        },
        (error: unknown) => {
          // A returned message is confirmed all the same; the return always comes first.
          const reason = mandatory ? returned.get(event.id) : undefined;
          if (reason !== undefined) returned.delete(event.id);
          if (error) refused.set(event.id, 'the broker refused it');
          else if (reason !== undefined) refused.set(event.id, `no queue took it: ${reason}`);
          if (--open === 0) finish();
        },
      );
    }
  });
}
