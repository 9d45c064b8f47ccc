import { KEY_ACCESS } from '@heliograph/auth';
import { LEDGER_ACCESS } from '@heliograph/credits';
import { READ, WRITE, type DatabaseAccess } from '@heliograph/database';
import { MESSAGING_ACCESS } from '@heliograph/messaging';

/** The database privileges of the service. The migration job grants them. */
export const databaseAccess: DatabaseAccess = {
  role: 'heliograph_chatapp_api',
  tables: {
    ...KEY_ACCESS,
    ...LEDGER_ACCESS,
    ...MESSAGING_ACCESS,
    'chatapp.accounts': WRITE,
    'chatapp.allowance_uses': WRITE,
    'chatapp.allowances': READ,
    'chatapp.consents': WRITE,
    'chatapp.media': WRITE,
    'chatapp.messages': WRITE,
    'chatapp.number_aliases': WRITE,
    'chatapp.numbers': WRITE,
    'chatapp.prices': READ,
    'chatapp.sending_switch': READ,
    'chatapp.templates': WRITE,
    'chatapp.unmatched_statuses': WRITE,
    'idempotency.answers': WRITE,
    'persons.erasures': WRITE,
  },
  sequences: ['credits.ledger_position'],
  functions: ['chatapp', 'credits', 'idempotency', 'messaging'],
};
