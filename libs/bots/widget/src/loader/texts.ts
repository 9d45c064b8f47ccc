import type { LauncherTexts } from '../protocol';

/** Until the runtime has told those in the bot's language. */
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
