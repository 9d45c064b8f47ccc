import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Shortcut } from '../../api/records';
import { codePoints, MAX_MESSAGE_LENGTH } from '../../text/message-length';
import { fill } from '../../strings/strings';
import { wellFormed } from '../../text/well-formed';
import { useChat } from '../chat-context';
import { SendIcon } from '../icons';
import { EmojiPicker } from './emoji-picker';
import { CommandMenu, commandsFor, optionId } from './command-menu';

/** From this length on, the number of remaining characters is shown. */
const NEAR_THE_LIMIT = MAX_MESSAGE_LENGTH - 400;
const MAX_HEIGHT_PX = 132;

interface Props {
  shortcuts: Shortcut[];
  inputRef: { current: HTMLTextAreaElement | null };
}

/** The message input: Enter sends, Shift and Enter insert a line break, a slash opens the commands. */
export function Composer({ shortcuts, inputRef }: Props): JSX.Element {
  const { ui, session } = useChat();
  const { strings } = ui;
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [isMenuClosed, setMenuClosed] = useState(false);
  // Safari ends an IME composition before it reports the Enter key that ended it.
  const endedAt = useRef(0);
  const commands = isMenuClosed ? [] : commandsFor(text, shortcuts);
  const length = codePoints(text);
  const over = length - MAX_MESSAGE_LENGTH;
  const canSend = wellFormed(text).trim() !== '' && over <= 0;

  useLayoutEffect(() => {
    const input = inputRef.current;
    if (!input) return;
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [text]);

  const write = (value: string) => {
    setText(value);
    setActive(0);
    setMenuClosed(false);
  };
  const send = () => {
    if (!canSend) return;
    session.send(wellFormed(text).trim());
    write('');
    inputRef.current?.focus();
  };
  const insert = (emoji: string) => {
    const input = inputRef.current;
    if (!input) return;
    input.focus();
    input.setRangeText(emoji, input.selectionStart, input.selectionEnd, 'end');
    write(input.value);
  };
  const choose = (shortcut: Shortcut) => {
    session.sendShortcut(shortcut);
    write('');
    inputRef.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229 || event.timeStamp - endedAt.current < 50) return;
    if (commands.length > 0 && steer(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  const steer = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const chosen = commands[active];
    if (key === 'ArrowDown') setActive((active + 1) % commands.length);
    else if (key === 'ArrowUp') setActive((active + commands.length - 1) % commands.length);
    else if (key === 'Escape') setMenuClosed(true);
    else if (chosen && ((key === 'Enter' && !shiftKey) || (key === 'Tab' && !shiftKey))) choose(chosen);
    else return false;
    return true;
  };

  const hint =
    over > 0
      ? fill(strings.tooLong, {
          limit: MAX_MESSAGE_LENGTH.toLocaleString(ui.locale),
          over: over.toLocaleString(ui.locale),
        })
      : length >= NEAR_THE_LIMIT
        ? fill(strings.charactersLeft, { n: (-over).toLocaleString(ui.locale) })
        : null;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <CommandMenu commands={commands} active={active} onChoose={choose} onHover={setActive} />
      <div class={`composer-box${over > 0 ? ' has-error' : ''}`}>
        <textarea
          ref={inputRef}
          rows={1}
          dir={text === '' ? undefined : 'auto'}
          value={text}
          placeholder={strings.placeholder}
          aria-label={strings.message}
          aria-invalid={over > 0}
          aria-describedby="composer-hint"
          aria-autocomplete={shortcuts.length > 0 ? 'list' : undefined}
          aria-controls={commands.length > 0 ? 'commands' : undefined}
          aria-activedescendant={commands.length > 0 ? optionId(active) : undefined}
          autocomplete="off"
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onCompositionEnd={(event) => (endedAt.current = event.timeStamp)}
          onBlur={() => setMenuClosed(true)}
        />
        <EmojiPicker onChoose={insert} />
        <button type="submit" class="send" aria-label={strings.send} title={strings.send} aria-disabled={!canSend}>
          <SendIcon />
        </button>
      </div>
      <p class={`hint${over > 0 ? ' is-error' : ''}`} id="composer-hint" role="status">
        {hint}
      </p>
    </form>
  );
}
