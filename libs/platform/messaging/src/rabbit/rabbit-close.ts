import type { Channel } from 'amqplib';

const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Waits for the broker to confirm a close, for 5 s at most. A busy broker may answer late, and it redelivers unsettled
 * messages in any case. Never rejects.
 */
export async function closedInTime(closing: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS).unref()));
  await Promise.race([closing?.catch(() => undefined), late]);
  clearTimeout(timer);
}

/**
 * Closes a channel in any state. If its connection ends meanwhile, the broker does not answer, so the `close` event
 * also counts.
 */
export function closeChannel(channel: Channel): Promise<void> {
  const closed = new Promise<void>((resolve) => channel.once('close', resolve));
  return closedInTime(Promise.race([channel.close().catch(() => undefined), closed]));
}
