import type { LauncherTexts } from '../protocol';

/** Used until the runtime has delivered the texts in the language of the bot. */
export const ENGLISH: LauncherTexts = {
  open: 'Open chat',
  close: 'Close chat',
  unread: '{n} unread',
  dismiss: 'Dismiss',
  loading: 'Loading the chat',
  failed: 'The chat could not be loaded on this page.',
  elsewhere: 'Open it in a new tab',
  retry: 'Try again',
};
