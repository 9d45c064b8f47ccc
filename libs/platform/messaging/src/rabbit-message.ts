import type { Message } from 'amqplib';

/** Header: failed attempts before this delivery. */
export const ATTEMPT = 'x-attempt';
/** Header: which event it is, when it comes back from the broker. */
export const OUTBOX_ID = 'x-outbox-id';
/** Header of a dead letter: why it was given up. */
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
