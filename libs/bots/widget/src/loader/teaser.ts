import type { SiteStorage } from './site-storage';
import type { View } from './view';

/** A visitor has looked around by then, and the page has come to rest. */
const GREET_AFTER_MS = 4_000;

export interface Teaser {
  /** The line that invites, when there is a quiet moment for it: once, and never again once it was put away. */
  greet(text: string): void;
  /** The beginning of a message that came while the panel was closed. */
  preview(text: string): void;
  hide(): void;
  /** The visitor does not want it. */
  dismiss(): void;
}

/** `mayShow`: whether the panel is closed, the launcher there, and room beside the page's own content. */
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
        // Somebody who has a conversation needs no invitation.
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
