import type { FrameInit, LauncherTexts, ToFrame, ToLoader } from '../protocol';
import { linkFrame, type FrameLink } from './frame-link';
import type { Options } from './options';
import type { View } from './view';

/** Time limit from the load event to the `ready` message. */
const GREETS_WITHIN_MS = 3_000;
/** Time limit for loading the frame, and again for rendering it, on a slow network. */
const LOADS_WITHIN_MS = 20_000;

/** Without allow-same-origin the frame would have no storage. The frame has a different origin than the site. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

export interface Frame {
  /** Creates the frame, once. */
  load(): void;
  /** Creates the frame again. */
  reload(): void;
  send(message: ToFrame): void;
  /** Moves the focus into the frame, or to the placeholder. */
  focus(): void;
  /** The frame has rendered the chat. */
  drawn(): void;
  name(title: string, hostedUrl: string): void;
  destroy(): void;
}

export interface FrameOptions {
  view: View;
  options: Options;
  texts: () => LauncherTexts;
  init: () => Omit<FrameInit, 'heliograph' | 'type'>;
  greeted: () => void;
  received: (message: ToLoader) => void;
}

/**
 * The frame with the chat. A placeholder is shown until the chat is rendered. If that fails (content security policy of
 * the site, allowed domains of the bot, network), the placeholder links to the hosted page.
 */
export function createFrame({ view, options, texts, init, greeted, received }: FrameOptions): Frame {
  const path = encodeURIComponent(options.botId);
  let element: HTMLIFrameElement | null = null;
  let link: FrameLink | null = null;
  let timer = 0;
  let isDrawn = false;
  let title = 'Chat';

  const wait = (ms: number): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => view.showCover('failed', texts()), ms);
  };

  function load(): void {
    if (element) return;
    const frame = document.createElement('iframe');
    element = frame;
    let hasGreeted = false;
    isDrawn = false;
    view.showCover('loading', texts());
    frame.title = title;
    frame.referrerPolicy = 'strict-origin';
    frame.setAttribute('sandbox', SANDBOX);
    link = linkFrame({
      frame,
      origin: options.api,
      init,
      greeted: () => {
        hasGreeted = true;
        wait(LOADS_WITHIN_MS);
        greeted();
      },
      received: (message) => element === frame && received(message),
    });
    frame.addEventListener('load', () => hasGreeted || wait(GREETS_WITHIN_MS));
    wait(LOADS_WITHIN_MS);
    frame.src = `${options.api}/bots/embed/${path}`;
    view.panel.prepend(frame);
  }

  function unload(): void {
    clearTimeout(timer);
    link?.close();
    element?.remove();
    link = element = null;
  }

  function name(given: string, hostedUrl: string): void {
    title = given;
    if (element) element.title = given;
    view.panel.setAttribute('aria-label', given);
    view.link.href = hostedUrl;
  }

  name(title, `${options.api}/c/${path}`);
  return {
    load,
    reload() {
      unload();
      load();
      view.close.focus();
    },
    send: (message) => link?.send(message),
    focus: () => (isDrawn ? element : view.close)?.focus({ preventScroll: true }),
    drawn() {
      clearTimeout(timer);
      isDrawn = true;
      view.showCover('none', texts());
    },
    name,
    destroy: unload,
  };
}
