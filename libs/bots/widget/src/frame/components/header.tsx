import type { JSX } from 'preact';
import type { Presence } from '../state/presence';
import type { Strings } from '../strings/en';
import { fill } from '../strings/strings';
import { Avatar } from './avatar';
import { useChat } from './chat-context';
import { Choices, type ChoiceList } from './messages/choices';
import { CloseIcon, OptionsIcon } from './icons';
import { useDropdown } from './use-dropdown';

export interface Option {
  label: string;
  choose(): void;
}

interface Props {
  /** Shown below the name; null if nobody answers. */
  presence: Presence | null;
  options: Option[];
  /** Shown beside the conversation of a hosted page on a wide screen, at all times; null for none. */
  shortcuts: ChoiceList | null;
  onClose: (() => void) | null;
}

/**
 * The header: name of the bot, who answers, options menu and close button. An unknown bot has no name and no color, so
 * only the close button is shown.
 */
export function Header({ presence, options, shortcuts, onClose }: Props): JSX.Element {
  const { ui, bot } = useChat();
  const isKnown = bot.name !== '';
  return (
    <header class={`header${isKnown ? '' : ' is-plain'}`}>
      {isKnown && <Avatar name={bot.name} logo={bot.logo} kind="bot" />}
      {isKnown && (
        <div class="header-title">
          <h1 dir="auto">{bot.name}</h1>
          <p class={`header-note${presence ? ` is-${presence.kind}` : ''}`} role="status">
            {presence && <span dir="auto">{presenceText(presence, ui.strings)}</span>}
          </p>
        </div>
      )}
      {options.length > 0 && <OptionsMenu options={options} />}
      {shortcuts && (
        <nav class="aside" aria-label={shortcuts.label}>
          <h2>{shortcuts.label}</h2>
          <Choices {...shortcuts} />
        </nav>
      )}
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

function presenceText(presence: Presence, strings: Strings): string {
  switch (presence.kind) {
    case 'bot':
      return strings.replyTime;
    case 'waiting':
      return strings.waitingForTeam;
    case 'away':
      return strings.noConnection;
    case 'person':
      return presence.name === null ? strings.personUnnamed : fill(strings.person, { name: presence.name });
  }
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
