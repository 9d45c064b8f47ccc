import { READ, WRITE, type DatabaseAccess } from '@heliograph/database';
import { MESSAGING_ACCESS } from '@heliograph/messaging';

/** The database privileges of the service. The migration job grants them. */
export const databaseAccess: DatabaseAccess = {
  role: 'heliograph_bot_runtime',
  tables: {
    ...MESSAGING_ACCESS,
    'bot_search.*': READ,
    'bots.articles': READ,
    'bots.bots': READ,
    'bots.contacts': WRITE,
    'bots.conversations': WRITE,
    'bots.faqs': READ,
    'bots.forms': READ,
    'bots.messages': WRITE,
    'bots.model_uses': WRITE,
    'bots.shortcuts': READ,
    'bots.submissions': WRITE,
    'bots.versions': READ,
    'idempotency.answers': WRITE,
    'persons.erasures': WRITE,
  },
  functions: ['bot_search', 'bots', 'idempotency', 'messaging'],
};
