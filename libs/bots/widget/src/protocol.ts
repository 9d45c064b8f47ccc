/**
 * The messages between the loader on the host page and the frame. Every message contains the version, because a site
 * may cache a loader that is older or newer than the frame. Unknown fields are ignored.
 */
export const PROTOCOL_VERSION = 1;

/** The only message that the frame sends with `window.postMessage` to its parent; it contains no data. */
export interface FrameReady {
  heliograph: typeof PROTOCOL_VERSION;
  type: 'ready';
}

/** The answer to the exact origin of the frame, with a MessagePort for all other messages. */
export interface FrameInit {
  heliograph: typeof PROTOCOL_VERSION;
  type: 'init';
  /** A valid `#rgb` or `#rrggbb` set by the site; missing: the color of the bot. */
  color?: string;
  /** A greeting set by the site; missing: the greeting of the bot. */
  greeting?: string;
  channel: 'web' | 'hosted';
  /** URL of the host page, for the context of the conversation. */
  pageUrl: string;
  referrer: string;
  language: string;
  /** Whether the panel is open. */
  isOpen: boolean;
  /** Whether the panel covers the whole screen. */
  isFullScreen: boolean;
}

/** Information from the site about its visitor; not verified. */
export interface VisitorTraits {
  name?: string;
  email?: string;
  phone?: string;
}

export type ToFrame =
  | { type: 'visible'; isOpen: boolean; isFullScreen: boolean }
  | { type: 'page'; pageUrl: string; referrer: string }
  | { type: 'identify'; traits: VisitorTraits };

export type ToLoader =
  /** The chat is rendered. */
  | { type: 'drawn' }
  /** The visitor wants to close the panel: Escape, or the close button. */
  | { type: 'close' }
  /** Number of unread messages, and the start of the newest one for the teaser. */
  | { type: 'unread'; count: number; preview: string | null }
  /** Whether a conversation exists: a flag, never a token. */
  | { type: 'conversation'; exists: boolean }
  /** A new message of either role; earlier messages are not reported. It becomes the `message` event of the site. */
  | { type: 'message'; role: 'user' | 'assistant' };

/** The `id` of the script element of type application/json that contains the PageData. */
export const PAGE_DATA_ID = 'heliograph';

/** The `id` of the element into which the chat is rendered. Until then it contains a fallback text. */
export const ROOT_ID = 'chat';

/** The public configuration of a bot, as in the response of the widget configuration. */
export interface WidgetConfig {
  ok: true;
  botId: string;
  name: string;
  slug: string;
  locale: string;
  /** `#rgb` or `#rrggbb` */
  color: string;
  logo?: string;
  welcome: string;
  /** Origin of the API. */
  apiBase: string;
  /** URL of the frame. */
  embedUrl: string;
}

/** The data of the frame page and the hosted page. */
export interface PageData {
  botId: string;
  /** Prefix of the API paths; empty: the origin of the page. */
  apiBase: string;
  mode: 'frame' | 'hosted';
  /** Null: the bot is not available. */
  config: WidgetConfig | null;
  /** Shortcuts and suggestions before the first message, sorted by display order. */
  shortcuts?: { id: string; label: string; command: string; description: string; type: string; displayOrder: number }[];
  suggestions?: { id: string; label: string }[];
}

/** The texts of the loader. */
export interface LauncherTexts {
  /** Accessible names of the launcher button while the panel is closed and open. */
  open: string;
  close: string;
  /** Text for the number of unread messages, with the placeholder `{n}`. */
  unread: string;
  /** Label of the button that dismisses the teaser. */
  dismiss: string;
  loading: string;
  /** Text shown if the frame fails to load. */
  failed: string;
  /** Label of the link to the hosted page. */
  elsewhere: string;
  retry: string;
}

/**
 * The configuration that the loader imports from the runtime. It is a module, so that the site needs script-src but not
 * connect-src.
 */
export interface LauncherConfig {
  name: string;
  color: string;
  welcome: string;
  /** BCP 47 */
  locale: string;
  direction: 'ltr' | 'rtl';
  hostedUrl: string;
  texts: LauncherTexts;
}
