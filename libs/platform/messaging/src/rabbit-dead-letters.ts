import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { DeadLetter } from './bus';
import { ATTEMPT, ERROR, parseJson } from './rabbit-message';

/** A connection, as far as opening channels goes. */
export interface ChannelSource {
  createConfirmChannel(): Promise<ConfirmChannel>;
}

/** The oldest dead letters of a queue; they stay where they are. */
export function listDeadLetters(source: ChannelSource, queue: string, limit: number): Promise<DeadLetter[]> {
  return withDeadLetters(source, queue, limit, (_channel, messages) => Promise.resolve(messages.map(toDeadLetter)));
}

/** Gives dead letters back to their queue, as if they had never failed; answers how many. */
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

/** Takes up to `limit` dead letters in hand; what is not acknowledged goes back when the channel closes. */
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
  const error: unknown = message.properties.headers?.[ERROR];
  return {
    id: typeof id === 'string' ? id : '?',
    type: typeof type === 'string' ? type : '?',
    error: typeof error === 'string' ? error : 'its consumers did not survive it',
    payload,
  };
}
