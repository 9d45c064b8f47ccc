import { useNavigate } from '@tanstack/react-router';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { strings } from '../strings';
import { ALL_DESTINATIONS } from './destinations';

export interface Command {
  id: string;
  label: string;
  run: () => void;
}

const texts = strings.shell.palette;

/** A search field over all pages and commands. */
export function CommandPalette({ onClose, commands }: { onClose: () => void; commands: readonly Command[] }) {
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const entries: readonly Command[] = [
    ...ALL_DESTINATIONS.map(({ to, label }) => ({
      id: to,
      label: `${texts.navigate}: ${label}`,
      run: () => void navigate({ to }),
    })),
    ...commands,
  ];
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className="dialog-frame palette">
        <Dialog aria-label={texts.title}>
          <Autocomplete filter={contains}>
            <SearchField aria-label={texts.title} autoFocus>
              <Input className="input" placeholder={texts.placeholder} />
            </SearchField>
            <Menu
              className="menu"
              aria-label={texts.commands}
              items={entries}
              renderEmptyState={() => <p className="menu-header">{texts.empty}</p>}
              onAction={(id) => {
                onClose();
                const chosen = entries.find((entry) => entry.id === id);
                if (chosen) afterFocusReturned(chosen.run);
              }}
            >
              {(entry) => (
                <MenuItem className="menu-item" textValue={entry.label}>
                  {entry.label}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A dialog that closes gives the focus back in the next frame, and would take it from what the command opens. */
function afterFocusReturned(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}
