import { isColor } from '../brand-color';

/** Options from the attributes of the script element. */
export interface Options {
  /** Public id of the bot. */
  botId: string;
  /** Origin that serves the frame and the API. */
  api: string;
  side: 'left' | 'right';
  /** `#rgb` or `#rrggbb`; null: the color of the bot. */
  color: string | null;
  /** Null: the welcome text of the bot. */
  greeting: string | null;
  channel: 'web' | 'hosted';
  opensByItself: boolean;
}

/** Attributes for the bot id; the first one that is set is used. */
const ID_ATTRIBUTES = ['data-bot-id', 'data-bot-key', 'data-bot'];
const LOADER_PATH = /\/bots\/widget\.js(?:[?#]|$)/;

/**
 * The script element that loaded this script. Modules and dynamically inserted scripts have no `currentScript`; then it
 * is an element with a bot id, preferably one with the path of the loader.
 */
export function findScript(page: Document): Element | null {
  const own = page.currentScript;
  if (own && botIdOf(own)) return own;
  const candidates = [...page.querySelectorAll('script')].filter(botIdOf);
  return candidates.find(({ src }) => LOADER_PATH.test(src)) ?? candidates[0] ?? null;
}

/** Options of an element; null without a bot id. An invalid value counts as missing. */
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

/** The origin of an http(s) URL; null for anything else. */
function originOf(address: string, base?: string): string | null {
  if (!address) return null;
  try {
    const { protocol, origin } = new URL(address, base);
    return /^https?:$/.test(protocol) ? origin : null;
  } catch {
    return null;
  }
}
