import type { ConfirmChannel } from 'amqplib';
import type { OutgoingEvent } from '../bus';
import { ATTEMPT, OUTBOX_ID } from './rabbit-message';

const CONFIRM_TIMEOUT_MS = 20_000;

export interface AddressedEvent {
  event: OutgoingEvent;
  exchange: string;
  routingKey: string;
  /** Whether an unroutable event is rejected. */
  mandatory: boolean;
}

function headersOf({ id, attempt, traceparent }: OutgoingEvent): Record<string, unknown> {
  const headers = { [OUTBOX_ID]: id, [ATTEMPT]: attempt };
  return traceparent === undefined ? headers : { ...headers, traceparent };
}

/**
 * Publishes events and waits for the confirms of the broker. Resolves with the rejected events (id and reason); rejects
 * if the state of some events is unknown. `returned` contains the ids and reasons of messages that the broker returned
 * on this channel.
 */
export function publishConfirmed(
  channel: ConfirmChannel,
  events: AddressedEvent[],
  returned: Map<string, string>,
): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const refused = new Map<string, string>();
    let open = events.length;
    // The channel stays open. A late confirm is ignored; the events are published again, and duplicates are allowed.
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
          headers: headersOf(event),
        },
        (error: unknown) => {
          // The broker confirms returned messages too. The return always arrives first.
          const reason = mandatory ? returned.get(event.id) : undefined;
          if (reason !== undefined) returned.delete(event.id);
          if (error) refused.set(event.id, 'the broker rejected it');
          else if (reason !== undefined) refused.set(event.id, `not routed to any queue: ${reason}`);
          if (--open === 0) finish();
        },
      );
    }
  });
}
