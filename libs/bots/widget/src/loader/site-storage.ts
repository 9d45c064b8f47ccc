/** What is remembered over visits: that there is a conversation, that the teaser was put away. One letter each. */
export type Flag = 'c' | 't';

/**
 * What the loader remembers on the site's own origin: flags, never a token, and nothing before the visitor acts. A
 * browser that refuses remembers nothing, and all else works.
 */
export interface SiteStorage {
  has(flag: Flag): boolean;
  set(flag: Flag, isSet: boolean): void;
  /** What the visitor last did with the panel in this tab; empty: nothing. */
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
      // Refused or full: the widget works without.
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
