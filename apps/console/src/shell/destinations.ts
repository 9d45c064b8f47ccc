import { KeyRound, Mail, type LucideIcon } from 'lucide-react';
import { strings } from '../strings';

export interface Destination {
  to: '/messages' | '/developers/api-keys';
  label: string;
  icon: LucideIcon;
  /** The letter after `g`. */
  letter: string;
  shortcutText: string;
}

const { shell } = strings;

export const DESTINATIONS: readonly Destination[] = [
  {
    to: '/messages',
    label: shell.messages,
    icon: Mail,
    letter: 'm',
    shortcutText: shell.shortcutTexts.goMessages,
  },
];

export const DEVELOPER_DESTINATIONS: readonly Destination[] = [
  {
    to: '/developers/api-keys',
    label: shell.apiKeys,
    icon: KeyRound,
    letter: 'k',
    shortcutText: shell.shortcutTexts.goKeys,
  },
];

export const ALL_DESTINATIONS: readonly Destination[] = [...DESTINATIONS, ...DEVELOPER_DESTINATIONS];
