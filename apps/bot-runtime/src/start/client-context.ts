import type { BotChannel, ClientContext } from '@heliograph/bot-conversations';
import { guessBrowser } from './guess-browser';
import type { ClientContextRequest } from './start.dto';

/**
 * The stored client context: for web and hosted conversations the values from the page and a guess of the browser; for
 * a messaging channel only the values from the provider.
 */
export function clientContext(
  channel: BotChannel,
  client: ClientContextRequest,
  userAgent: string | undefined,
): ClientContext {
  if (channel === 'web' || channel === 'hosted') return { ...client, ...guessBrowser(userAgent) };
  return client.platform === undefined ? {} : { platform: client.platform };
}
