import type { Ref } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Dropdown {
  isOpen: boolean;
  /** The element that contains the button and the panel. */
  box: Ref<HTMLDivElement>;
  /** The button that opens and closes the panel. */
  button: Ref<HTMLButtonElement>;
  toggle(): void;
  /** Closes the panel; the focus stays. */
  hide(): void;
  /** Closes the panel and returns the focus to the button. */
  close(): void;
  closeOnEscape(event: KeyboardEvent): void;
}

/**
 * A panel that a button opens. Its first item gets the focus; Escape, a click or the focus outside close it.
 * @param items the selector of the items of the panel
 */
export function useDropdown(items: string): Dropdown {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // A layout effect, so that the focus is in the panel before an Escape key can close it and return the focus.
  useLayoutEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>(items)?.focus();
  }, [isOpen, items]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);

  const hide = () => setOpen(false);
  const close = () => {
    hide();
    button.current?.focus();
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
  };
  return { isOpen, box, button, toggle: () => setOpen(!isOpen), hide, close, closeOnEscape };
}
