import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { DeadLetter } from '../bus';
import { ATTEMPT, errorOf, parseJson } from './rabbit-message';

/** The part of a connection that opens channels. */
export interface ChannelSource {
  createConfirmChannel(): Promise<ConfirmChannel>;
}

/** Lists the oldest dead letters of a queue without removing them. */
export function listDeadLetters(source: ChannelSource, queue: string, limit: number): Promise<DeadLetter[]> {
  return withDeadLetters(source, queue, limit, (_channel, messages) => Promise.resolve(messages.map(toDeadLetter)));
}

/** Moves dead letters back to their queue as first attempts. Returns how many. */
export function replayDeadLetters(source: ChannelSource, queue: string, limit: number): Promise<number> {
  return withDeadLetters(source, queue, limit, async (channel, messages) => {
    for (const message of messages) {
      channel.sendToQueue(queue, message.content, {
        persistent: true,
        contentType: 'application/json',
        headers: { [ATTEMPT]: 0 },
      });
    }
    await channel.waitForConfirms();
    for (const message of messages) channel.ack(message);
    return messages.length;
  });
}

/** Fetches up to `limit` dead letters. Unacknowledged ones return to the queue when the channel closes. */
async function withDeadLetters<T>(
  source: ChannelSource,
  queue: string,
  limit: number,
  work: (channel: ConfirmChannel, messages: GetMessage[]) => Promise<T>,
): Promise<T> {
  const channel = await source.createConfirmChannel();
  try {
    const messages: GetMessage[] = [];
    while (messages.length < limit) {
      const message = await channel.get(`${queue}.dead`);
      if (message === false) break;
      messages.push(message);
    }
    return await work(channel, messages);
  } finally {
    await channel.close().catch(() => undefined);
  }
}

function toDeadLetter(message: GetMessage): DeadLetter {
  const payload = parseJson(message.content);
  const { id, type } = (payload ?? {}) as { id?: unknown; type?: unknown };
  return {
    id: typeof id === 'string' ? id : '?',
    type: typeof type === 'string' ? type : '?',
    error: errorOf(message),
    payload,
  };
}
