/**
 * What the loader on the host page and the frame say to each other. Every message names the version: a site may cache a
 * loader that is older, or newer, than the frame. What a side does not know it ignores.
 */
export const PROTOCOL_VERSION = 1;

/** The only message that goes by `window.postMessage` from the frame to its parent: it carries nothing. */
export interface FrameReady {
  heliograph: typeof PROTOCOL_VERSION;
  type: 'ready';
}

/** The answer, to the frame's exact origin, with a MessagePort. All else goes over that port. */
export interface FrameInit {
  heliograph: typeof PROTOCOL_VERSION;
  type: 'init';
  /** A valid `#rgb` or `#rrggbb` that the site asks for; absent: the bot's own. */
  color?: string;
  /** A line that the site asks for; absent: the bot's own. */
  greeting?: string;
  channel: 'web' | 'hosted';
  /** Of the host page, for the conversation's context. */
  pageUrl: string;
  referrer: string;
  language: string;
  /** Whether the panel is open at this moment. */
  isOpen: boolean;
  /** Whether the panel covers the whole screen. */
  isFullScreen: boolean;
}

/** What the host says of its visitor; none of it is proven. */
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
  /** The interface is drawn. */
  | { type: 'drawn' }
  /** The visitor wants the panel closed: Escape, or the button. */
  | { type: 'close' }
  /** Messages that nobody has seen, and the beginning of the newest for the teaser. */
  | { type: 'unread'; count: number; preview: string | null }
  /** Whether there is a conversation to come back to: a flag, never a token. */
  | { type: 'conversation'; exists: boolean }
  /** A message that is new to this page, of either role; history is not. It becomes the site's `message` event. */
  | { type: 'message'; role: 'user' | 'assistant' };

/** The `id` of the script element of type application/json in which a page of the runtime carries its PageData. */
export const PAGE_DATA_ID = 'heliograph';

/** The `id` of the element in which the chat is drawn. Until then it says in words what there is to say. */
export const ROOT_ID = 'chat';

/** A bot as its widget shows it: what the widget configuration answers. */
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
  /** Address of the frame. */
  embedUrl: string;
}

/** What the frame's page and the hosted page know when they load. */
export interface PageData {
  botId: string;
  /** Before the paths of the API; empty: the page's own origin. */
  apiBase: string;
  mode: 'frame' | 'hosted';
  /** Null: the bot is unavailable. */
  config: WidgetConfig | null;
  /** What the visitor may choose from before a conversation has begun; both in the order in which they are shown. */
  shortcuts?: { id: string; label: string; command: string; description: string; type: string; displayOrder: number }[];
  suggestions?: { id: string; label: string }[];
}

/** What the loader says to people. */
export interface LauncherTexts {
  /** Accessible name of the launcher: while the panel is closed, and while it is open. */
  open: string;
  close: string;
  /** How many messages nobody has seen, in `{n}`. */
  unread: string;
  /** Of the button that puts the teaser away. */
  dismiss: string;
  loading: string;
  /** Where the frame cannot be shown. */
  failed: string;
  /** The link to the hosted page. */
  elsewhere: string;
  retry: string;
}

/** What the loader asks of the runtime, as a module: script-src of a strict page allows it, connect-src need not. */
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
