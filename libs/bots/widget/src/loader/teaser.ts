import type { SiteStorage } from './site-storage';
import type { View } from './view';

/** Delay before the teaser, after the page has finished loading. */
const GREET_AFTER_MS = 4_000;

export interface Teaser {
  /** Shows the invitation after a delay, unless the visitor dismissed it before or has a conversation. */
  greet(text: string): void;
  /** Shows the start of a message that arrived while the panel was closed. */
  preview(text: string): void;
  hide(): void;
  /** Hides the teaser permanently. */
  dismiss(): void;
}

/** `mayShow`: whether the panel is closed, the launcher is visible, and there is enough space. */
export function createTeaser(view: View, storage: SiteStorage, mayShow: () => boolean, signal: AbortSignal): Teaser {
  let timer = 0;
  const show = (text: string): void => {
    if (!mayShow()) return;
    view.teaserText.textContent = text;
    view.teaser.hidden = false;
  };
  const hide = (): void => {
    clearTimeout(timer);
    view.teaser.hidden = true;
  };
  signal.addEventListener('abort', hide);
  return {
    greet(text) {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        // A visitor with a conversation needs no invitation.
        if (!storage.has('t') && !storage.has('c')) show(text);
      }, GREET_AFTER_MS);
    },
    preview(text) {
      hide();
      show(text);
    },
    hide,
    dismiss() {
      hide();
      storage.set('t', true);
    },
  };
}
