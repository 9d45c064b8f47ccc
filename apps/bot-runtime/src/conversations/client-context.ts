import type { BotChannel, ClientContext } from '@heliograph/bot-conversations';
import { guessBrowser } from './guess-browser';
import type { StartRequest } from './requests';

/**
 * What is kept of a visitor's surroundings: of web and hosted what the page tells and a guess at the browser; of a
 * messaging channel the platform's own word alone.
 */
export function clientContext(
  channel: BotChannel,
  client: StartRequest['client'],
  userAgent: string | undefined,
): ClientContext {
  if (channel === 'web' || channel === 'hosted') return { ...client, ...guessBrowser(userAgent) };
  return client.platform === undefined ? {} : { platform: client.platform };
}
