import type { BotChannel, ClientContext } from '@heliograph/bot-conversations';
import { guessBrowser } from './guess-browser';
import type { ClientContextRequest } from './start.dto';

/** Whether visitors chat in our widget or on our page. For the messaging channels, only data from the provider is stored. */
export function isWebChannel(channel: string): boolean {
  return channel === 'web' || channel === 'hosted';
}

/**
 * The stored client context: for web and hosted conversations the values from the page and a guess of the browser; for
 * a messaging channel only the values from the provider.
 */
export function clientContext(
  channel: BotChannel,
  client: ClientContextRequest,
  userAgent: string | undefined,
): ClientContext {
  if (isWebChannel(channel)) return { ...client, ...guessBrowser(userAgent) };
  return client.platform === undefined ? {} : { platform: client.platform };
}
