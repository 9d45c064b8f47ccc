import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useChat } from './chat-context';
import { EmojiIcon } from './icons';

const EMOJI = [
  ...['😀', '😂', '😊', '😍', '😎', '🤔', '😅', '😢', '😭', '😡', '😱', '🙄'],
  ...['👍', '👎', '👌', '👋', '🙏', '👏', '💪', '🤝', '❤️', '💔', '🔥', '✨'],
  ...['🎉', '🎁', '✅', '❌', '❓', '❗', '⭐', '💡', '📦', '🚚', '🛒', '💳'],
];
/** Columns of the grid; must match choices.css. */
const COLUMNS = 6;

/** A button with an emoji grid. Hidden on phones, whose keyboards contain emoji. */
export function EmojiPicker({ onChoose }: { onChoose(emoji: string): void }): JSX.Element {
  const { strings } = useChat().ui;
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>('.emoji button')?.focus();
  }, [isOpen]);
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

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
      return;
    }
    const forward = document.documentElement.dir === 'rtl' ? -1 : 1;
    const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>('.emoji button') ?? [])];
    const at = buttons.findIndex((each) => each === document.activeElement);
    buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)]?.focus();
  };
  return (
    <div class="emoji-box" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="emoji-button"
        ref={button}
        aria-label={strings.emoji}
        title={strings.emoji}
        aria-expanded={isOpen}
        aria-controls="emoji"
        onClick={() => setOpen(!isOpen)}
      >
        <EmojiIcon />
      </button>
      <div class="emoji" id="emoji" role="group" aria-label={strings.emoji} hidden={!isOpen}>
        {isOpen &&
          EMOJI.map((emoji, index) => (
            <button
              type="button"
              key={emoji}
              tabIndex={index === 0 ? 0 : -1}
              onClick={() => {
                setOpen(false);
                onChoose(emoji);
              }}
            >
              {emoji}
            </button>
          ))}
      </div>
    </div>
  );
}
