import { APPEND, READ, WRITE, type DatabaseAccess } from '@heliograph/database';

/** The database privileges of the service. The migration job grants them. */
export const databaseAccess: DatabaseAccess = {
  role: 'heliograph_chatapp_hook',
  tables: {
    'chatapp.accounts': WRITE,
    'chatapp.consents': WRITE,
    'chatapp.messages': WRITE,
    'chatapp.number_aliases': READ,
    'chatapp.numbers': WRITE,
    'chatapp.unmatched_statuses': WRITE,
    'credits.accounts': WRITE,
    'credits.ledger': APPEND,
    'messaging.dead_letters': WRITE,
    'messaging.job_queues': WRITE,
    'messaging.local_deliveries': WRITE,
    'messaging.outbox': WRITE,
    'messaging.stored_events': WRITE,
  },
  sequences: ['credits.ledger_position'],
  functions: ['chatapp', 'credits', 'messaging'],
};
