import type { JSX } from 'preact';
import { useChat } from '../chat-context';
import { EmojiIcon } from '../icons';
import { useDropdown } from '../use-dropdown';

const EMOJI = `
  😀 😂 😊 😍 😎 🤔 😅 😢 😭 😡 😱 🙄
  👍 👎 👌 👋 🙏 👏 💪 🤝 ❤️ 💔 🔥 ✨
  🎉 🎁 ✅ ❌ ❓ ❗ ⭐ 💡 📦 🚚 🛒 💳
`
  .trim()
  .split(/\s+/);
/** Columns of the grid; must match choices.css. */
const COLUMNS = 6;
const ITEMS = '.emoji button';

/** A button with an emoji grid. Hidden on phones, whose keyboards contain emoji. */
export function EmojiPicker({ onChoose }: { onChoose(emoji: string): void }): JSX.Element {
  const { strings } = useChat().ui;
  const { isOpen, box, button, toggle, hide, closeOnEscape } = useDropdown(ITEMS);

  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    closeOnEscape(event);
    const forward = document.documentElement.dir === 'rtl' ? -1 : 1;
    const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key];
    if (!isOpen || step === undefined) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEMS)];
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
        onClick={toggle}
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
                hide();
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
