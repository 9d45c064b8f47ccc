import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { MovedEvent } from '../bus';
import type { ChannelSource } from './rabbit-dead-letters';
import { attemptOf, errorOf, parseJson } from './rabbit-message';

const BATCH = 200;

export interface BoundQueue {
  exchange: string;
  name: string;
  bindings: readonly string[];
}

/**
 * Passes on the events of a queue that has no consumer, with those of its dead-letter queue, and removes its bindings. Does
 * nothing if the queue does not exist or has a consumer: a process of an earlier release may still consume it. The empty queues
 * remain, because the deletion of a quorum queue cannot depend on its being empty.
 */
export async function moveEvents(
  source: ChannelSource,
  { exchange, name, bindings }: BoundQueue,
  move: (events: MovedEvent[]) => Promise<void>,
): Promise<void> {
  const channel = await source.createConfirmChannel();
  // A missing queue closes the channel with an error.
  channel.on('error', () => undefined);
  try {
    const found = await channel.checkQueue(name).catch(() => null);
    if (!found || found.consumerCount > 0) return;
    for (const binding of bindings) await channel.unbindQueue(name, exchange, binding);
    for (const queue of [name, `${name}.dead`]) {
      for (
        let messages = await getBatch(channel, queue);
        messages.length > 0;
        messages = await getBatch(channel, queue)
      ) {
        await move(messages.map((message) => movedEventOf(message, queue !== name)));
        for (const message of messages) channel.ack(message);
      }
    }
  } finally {
    await channel.close().catch(() => undefined);
  }
}

async function getBatch(channel: ConfirmChannel, queue: string): Promise<GetMessage[]> {
  const messages: GetMessage[] = [];
  while (messages.length < BATCH) {
    const message = await channel.get(queue);
    if (message === false) break;
    messages.push(message);
  }
  return messages;
}

function movedEventOf(message: GetMessage, isDead: boolean): MovedEvent {
  const text = message.content.toString('utf8');
  const isJson = parseJson(message.content) !== undefined;
  return {
    body: isJson ? text : JSON.stringify(text),
    attempt: attemptOf(message),
    error: isDead ? errorOf(message) : null,
  };
}
