import type { JSX } from 'preact';
import { Avatar } from './avatar';
import { useChat } from './chat-context';
import { CloseIcon, OptionsIcon } from './icons';
import { useDropdown } from './use-dropdown';

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
  const { isOpen, box, button, toggle, close, closeOnEscape } = useDropdown('.menu button');
  return (
    <div class="menu-box" ref={box} onKeyDown={closeOnEscape}>
      <button
        type="button"
        class="header-button"
        ref={button}
        aria-label={strings.options}
        title={strings.options}
        aria-expanded={isOpen}
        aria-controls="options"
        onClick={toggle}
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
