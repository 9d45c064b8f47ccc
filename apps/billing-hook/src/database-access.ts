import { APPEND, READ, WRITE, type DatabaseAccess } from '@heliograph/database';

/** The database privileges of the service. The migration job grants them. */
export const databaseAccess: DatabaseAccess = {
  role: 'heliograph_billing_hook',
  tables: {
    'billing.*': WRITE,
    'credits.accounts': WRITE,
    'credits.ledger': APPEND,
    'messaging.dead_letters': WRITE,
    'messaging.job_queues': WRITE,
    'messaging.local_deliveries': WRITE,
    'messaging.outbox': WRITE,
    'messaging.requeues': WRITE,
    'messaging.stored_events': WRITE,
    'messaging.sweeps': WRITE,
    'system_mail.contents': WRITE,
    'tenancy.workspaces': WRITE,
    'users.members': READ,
    'users.users(id, email, name, email_verified_at)': READ,
  },
  sequences: ['billing.arrivals', 'credits.ledger_position'],
  functions: ['billing', 'credits', 'messaging'],
};
