/** Flags stored across visits: `c`: a conversation exists; `t`: the teaser was dismissed. */
export type Flag = 'c' | 't';

/**
 * Storage on the site's own origin: only flags, never a token, and nothing before the visitor interacts. If the browser
 * blocks storage, nothing is stored and everything else works.
 */
export interface SiteStorage {
  has(flag: Flag): boolean;
  set(flag: Flag, isSet: boolean): void;
  /** The last state of the panel in this tab; empty if the visitor has not used it. */
  panel(): string;
  keepPanel(state: 'open' | 'closed'): void;
}

type Area = 'localStorage' | 'sessionStorage';

export function openSiteStorage(botId: string): SiteStorage {
  const key = `heliograph-widget:${botId}`;
  const read = (area: Area): string => {
    try {
      return window[area].getItem(key) ?? '';
    } catch {
      return '';
    }
  };
  const write = (area: Area, value: string): void => {
    try {
      if (value) window[area].setItem(key, value);
      else window[area].removeItem(key);
    } catch {
      // Blocked or full: the widget works without storage.
    }
  };
  const has = (flag: Flag): boolean => read('localStorage').includes(flag);
  return {
    has,
    set(flag, isSet) {
      if (has(flag) !== isSet) write('localStorage', read('localStorage').replace(flag, '') + (isSet ? flag : ''));
    },
    panel: () => read('sessionStorage'),
    keepPanel: (state) => write('sessionStorage', state),
  };
}
