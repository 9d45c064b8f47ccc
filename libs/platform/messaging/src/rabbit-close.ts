import type { Channel } from 'amqplib';

const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Waits for the broker's answer to a closing, for 5 s at most: a busy broker may answer late, and what is not settled
 * by then it hands out again in any case. Never rejects.
 */
export async function closedInTime(closing: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS).unref()));
  await Promise.race([closing?.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Closes a channel, whatever state it is in. Where its connection ends meanwhile, the broker's answer never comes. */
export function closeChannel(channel: Channel): Promise<void> {
  const gone = new Promise<void>((resolve) => channel.once('close', resolve));
  return closedInTime(Promise.race([channel.close().catch(() => undefined), gone]));
}
