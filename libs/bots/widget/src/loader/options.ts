import { isColor } from '../brand-color';

/** What the site asks for by the attributes of its script element. */
export interface Options {
  /** Public id of the bot. */
  botId: string;
  /** Origin that serves the frame and the API. */
  api: string;
  side: 'left' | 'right';
  /** `#rgb` or `#rrggbb`; null: the bot's own. */
  color: string | null;
  /** Null: the bot's own welcome. */
  greeting: string | null;
  channel: 'web' | 'hosted';
  opensByItself: boolean;
}

/** The first that is set names the bot. */
const ID_ATTRIBUTES = ['data-bot-id', 'data-bot-key', 'data-bot'];
const LOADER_PATH = /\/bots\/widget\.js(?:[?#]|$)/;

/**
 * The script element that this script came from. Modules and scripts that others insert do not know their own: then it
 * is the one that carries the id of a bot, rather one with our path.
 */
export function findScript(page: Document): Element | null {
  const own = page.currentScript;
  if (own && botIdOf(own)) return own;
  const candidates = [...page.querySelectorAll('script')].filter(botIdOf);
  return candidates.find(({ src }) => LOADER_PATH.test(src)) ?? candidates[0] ?? null;
}

/** What an element asks for; null without a bot. A value that is not valid counts as absent. */
export function readOptions(script: Element, pageUrl: string): Options | null {
  const botId = botIdOf(script);
  if (!botId) return null;
  const attribute = (name: string): string => script.getAttribute(`data-${name}`)?.trim() ?? '';
  const color = attribute('color');
  return {
    botId,
    api: originOf(attribute('api')) ?? originOf(script.getAttribute('src') ?? '', pageUrl) ?? new URL(pageUrl).origin,
    side: attribute('position') === 'left' ? 'left' : 'right',
    color: isColor(color) ? color : null,
    greeting: attribute('greeting') || null,
    channel: attribute('channel') === 'hosted' ? 'hosted' : 'web',
    opensByItself: attribute('auto-open') === 'true',
  };
}

function botIdOf(script: Element): string {
  return ID_ATTRIBUTES.map((name) => script.getAttribute(name)?.trim()).find(Boolean) ?? '';
}

/** The origin of an http(s) address; null for anything else. */
function originOf(address: string, base?: string): string | null {
  if (!address) return null;
  try {
    const { protocol, origin } = new URL(address, base);
    return /^https?:$/.test(protocol) ? origin : null;
  } catch {
    return null;
  }
}
