import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'heliograph.theme';
const listeners = new Set<() => void>();

function stored(): Theme {
  try {
    return THEMES.find((theme) => theme === window.localStorage.getItem(KEY)) ?? 'system';
  } catch {
    // A browser may forbid storage.
    return 'system';
  }
}

let current = stored();

/** Shows the page in the chosen theme. */
export function applyTheme(): void {
  if (current === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = current;
}

export function setTheme(theme: Theme): void {
  current = theme;
  try {
    window.localStorage.setItem(KEY, theme);
  } catch {
    // The choice lasts until the page is closed.
  }
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
