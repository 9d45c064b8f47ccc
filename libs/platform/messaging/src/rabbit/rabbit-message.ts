import type { Message } from 'amqplib';

/** Header: number of failed attempts. */
export const ATTEMPT = 'x-attempt';
/** Header: id of the event, to identify returned messages. */
export const OUTBOX_ID = 'x-outbox-id';
/** Header of a dead letter: the last error. */
export const ERROR = 'x-error';

/** Undefined when the body is not JSON. */
export function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
}

export function attemptOf(message: Message): number {
  const attempt: unknown = message.properties.headers?.[ATTEMPT];
  return typeof attempt === 'number' ? attempt : 0;
}

/** The last error of a dead letter. */
export function errorOf(message: Message): string {
  const error: unknown = message.properties.headers?.[ERROR];
  return typeof error === 'string' ? error : 'delivery limit exceeded: its consumer crashed repeatedly';
}
