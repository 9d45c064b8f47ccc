import { LEDGER_ACCESS } from '@heliograph/credits';
import { READ, WRITE, type DatabaseAccess } from '@heliograph/database';
import { JOB_ACCESS } from '@heliograph/messaging';

/** The database privileges of the service. The migration job grants them. */
export const databaseAccess: DatabaseAccess = {
  role: 'heliograph_billing_hook',
  tables: {
    ...JOB_ACCESS,
    ...LEDGER_ACCESS,
    'billing.*': WRITE,
    'system_mail.contents': WRITE,
    'tenancy.workspaces': WRITE,
    'users.members': READ,
    'users.users(id, email, name, email_verified_at)': READ,
  },
  sequences: ['billing.arrivals', 'credits.ledger_position'],
  functions: ['billing', 'credits', 'messaging'],
};
