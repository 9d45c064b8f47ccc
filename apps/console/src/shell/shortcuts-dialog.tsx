import { Fragment } from 'react';
import { Dialog } from '../components/dialog';
import { strings } from '../strings';
import { ALL_DESTINATIONS } from './destinations';

const texts = strings.shell.shortcutTexts;

const ROWS: readonly (readonly [string, string])[] = [
  ['Ctrl K', texts.palette],
  ['/', texts.search],
  ['c', texts.create],
  ['?', texts.help],
  ...ALL_DESTINATIONS.map(({ letter, shortcutText }) => [`g ${letter}`, shortcutText] as const),
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={strings.shell.shortcuts} isOpen onClose={onClose}>
      <dl className="shortcut-list">
        {ROWS.map(([keys, text]) => (
          <Fragment key={keys}>
            <dt className="row">
              {keys.split(' ').map((key) => (
                <kbd key={key} className="key-hint">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
