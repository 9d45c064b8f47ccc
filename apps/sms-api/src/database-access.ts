import { KEY_ACCESS } from '@heliograph/auth';
import { LEDGER_ACCESS } from '@heliograph/credits';
import { APPEND, MAINTAIN, READ, WRITE, type DatabaseAccess } from '@heliograph/database';
import { JOB_ACCESS } from '@heliograph/messaging';

/** The database privileges of the service. The migration job grants them. */
export const databaseAccess: DatabaseAccess = {
  role: 'heliograph_sms_api',
  tables: {
    ...JOB_ACCESS,
    ...KEY_ACCESS,
    ...LEDGER_ACCESS,
    'audit.entries': APPEND,
    'campaigns.*': WRITE,
    'contacts.contacts': READ,
    'contacts.groups': READ,
    'contacts.memberships': READ,
    'idempotency.answers': WRITE,
    'persons.erasures': WRITE,
    'sms.messages': MAINTAIN,
    'sms.onboardings': READ,
    'sms.partial_deliveries': WRITE,
    'sms.parts': MAINTAIN,
    'sms.rates': READ,
    'sms.senders': READ,
    'sms.templates': WRITE,
    'sms.unmatched_receipts': WRITE,
  },
  sequences: ['credits.ledger_position'],
  functions: ['credits', 'idempotency', 'messaging', 'partitions', 'sms'],
};
