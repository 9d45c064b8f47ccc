import { useEffect } from 'react';

const SEQUENCE_MS = 1_000;

/** Keys with their actions. `g m` are two keys in a row, `mod+k` is Ctrl or Command with K. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Runs actions for keys, but not while a person types or a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat) return;
      const isModified = event.ctrlKey || event.metaKey;
      if (event.altKey || (!isModified && isOccupied(event.target))) return;
      const key = event.key.toLowerCase();
      const before = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ` : '';
      first = isModified ? null : { key, at: event.timeStamp };
      const action = shortcuts[isModified ? `mod+${key}` : before + key] ?? (isModified ? undefined : shortcuts[key]);
      if (!action) return;
      event.preventDefault();
      first = null;
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [shortcuts]);
}

function isOccupied(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null;
}
