import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Shortcut } from '../../api/records';
import { fill } from '../../strings/strings';
import { useStrings } from '../chat-context';

export const optionId = (index: number): string => `command-${index}`;

/** Commands that match the input: a slash followed by the start of a command, or of a word in its label. */
export function commandsFor(text: string, shortcuts: Shortcut[]): Shortcut[] {
  if (!/^\/\S*$/.test(text)) return [];
  const typed = text.slice(1).toLocaleLowerCase();
  return shortcuts.filter(({ command, label }) =>
    [command.replace(/^\//, ''), ...label.split(/\s+/)].some((word) => word.toLocaleLowerCase().startsWith(typed)),
  );
}

interface Props {
  commands: Shortcut[];
  active: number;
  onChoose(shortcut: Shortcut): void;
  onHover(index: number): void;
}

/** The list box of the composer. The composer keeps the focus and marks the active option. */
export function CommandMenu({ commands, active, onChoose, onHover }: Props): JSX.Element {
  const strings = useStrings();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <>
      <span class="hidden" role="status">
        {commands.length > 0 ? fill(strings.commands, { n: commands.length }) : ''}
      </span>
      {commands.length > 0 && (
        <div class="commands" id="commands" role="listbox" aria-label={strings.shortcuts} ref={list}>
          {commands.map((shortcut, index) => (
            <div
              key={shortcut.id}
              id={optionId(index)}
              class="command"
              role="option"
              aria-selected={index === active}
              // The composer keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => index !== active && onHover(index)}
              onClick={() => onChoose(shortcut)}
            >
              <span class="command-name">
                <bdi>{shortcut.label}</bdi>
                <code dir="ltr">{shortcut.command}</code>
              </span>
              {shortcut.description && <small dir="auto">{shortcut.description}</small>}
            </div>
          ))}
        </div>
      )}
    </>
  );
}
