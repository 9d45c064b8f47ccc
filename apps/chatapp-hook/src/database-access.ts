import { LEDGER_ACCESS } from '@heliograph/credits';
import { READ, WRITE, type DatabaseAccess } from '@heliograph/database';
import { MESSAGING_ACCESS } from '@heliograph/messaging';

/** The database privileges of the service. The migration job grants them. */
export const databaseAccess: DatabaseAccess = {
  role: 'heliograph_chatapp_hook',
  tables: {
    ...LEDGER_ACCESS,
    ...MESSAGING_ACCESS,
    'chatapp.accounts': WRITE,
    'chatapp.consents': WRITE,
    'chatapp.messages': WRITE,
    'chatapp.number_aliases': READ,
    'chatapp.numbers': WRITE,
    'chatapp.unmatched_statuses': WRITE,
  },
  sequences: ['credits.ledger_position'],
  functions: ['chatapp', 'credits', 'messaging'],
};
