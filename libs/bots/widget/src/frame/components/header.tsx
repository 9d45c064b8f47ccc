import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Avatar } from './avatar';
import { useChat } from './chat-context';
import { CloseIcon, OptionsIcon } from './icons';

export interface Option {
  label: string;
  choose(): void;
}

interface Props {
  /** The line below the name; null for none. */
  note: string | null;
  options: Option[];
  onClose: (() => void) | null;
}

/** The header: name of the bot, options menu and close button. */
export function Header({ note, options, onClose }: Props): JSX.Element {
  const { ui, bot } = useChat();
  return (
    <header class="header">
      {bot.name !== '' && <Avatar name={bot.name} logo={bot.logo} kind="bot" />}
      <div class="header-title">
        <h1 dir="auto">{bot.name || ui.strings.unavailableTitle}</h1>
        {note !== null && <p class="header-note">{note}</p>}
      </div>
      {options.length > 0 && <OptionsMenu options={options} />}
      {onClose && (
        <button
          type="button"
          class="header-button"
          aria-label={ui.strings.close}
          title={ui.strings.close}
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      )}
    </header>
  );
}

function OptionsMenu({ options }: { options: Option[] }): JSX.Element {
  const { strings } = useChat().ui;
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // A layout effect, so that the focus is in the menu before an Escape key can close the menu and return the focus.
  useLayoutEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>('.menu button')?.focus();
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

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      class="menu-box"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        class="header-button"
        ref={button}
        aria-label={strings.options}
        title={strings.options}
        aria-expanded={isOpen}
        aria-controls="options"
        onClick={() => setOpen(!isOpen)}
      >
        <OptionsIcon />
      </button>
      <div class="menu" id="options" hidden={!isOpen}>
        {options.map(({ label, choose }) => (
          <button
            type="button"
            onClick={() => {
              close();
              choose();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
