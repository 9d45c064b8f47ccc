import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { classNames } from './class-names';

export interface MenuEntry {
  id: string;
  label: string;
  onAction: () => void;
  isDangerous?: boolean;
  /** Whether it is the chosen one of several entries. */
  isCurrent?: boolean;
}

/** A button with a menu. `trigger` is the button. */
export function Menu({ label, trigger, entries }: { label: string; trigger: ReactNode; entries: MenuEntry[] }) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="popover" placement="bottom end">
        <AriaMenu
          className="menu"
          aria-label={label}
          onAction={(id) => entries.find((entry) => entry.id === id)?.onAction()}
        >
          {entries.map((entry) => (
            <AriaMenuItem
              key={entry.id}
              id={entry.id}
              textValue={entry.label}
              className={classNames('menu-item', entry.isDangerous && 'menu-item-danger')}
            >
              {entry.label}
              {entry.isCurrent && <Check size={16} className="check-mark" aria-hidden />}
            </AriaMenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
