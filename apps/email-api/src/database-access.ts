import { KEY_ACCESS } from '@heliograph/auth';
import { LEDGER_ACCESS } from '@heliograph/credits';
import { APPEND, MAINTAIN, READ, WRITE, type DatabaseAccess } from '@heliograph/database';
import { JOB_ACCESS } from '@heliograph/messaging';

/** The database privileges of the service. The migration job grants them. */
export const databaseAccess: DatabaseAccess = {
  role: 'heliograph_email_api',
  tables: {
    ...JOB_ACCESS,
    ...KEY_ACCESS,
    ...LEDGER_ACCESS,
    'audit.entries': APPEND,
    'campaigns.*': WRITE,
    'contacts.contacts': READ,
    'contacts.groups': READ,
    'contacts.memberships': READ,
    'email.domains': WRITE,
    'email.events': MAINTAIN,
    'email.failing_domains': WRITE,
    'email.messages': MAINTAIN,
    'email.recipients': MAINTAIN,
    'email.senders': READ,
    'email.suppressions': WRITE,
    'email.templates': WRITE,
    'email.tracking_settings': READ,
    'idempotency.answers': WRITE,
    'persons.erasures': WRITE,
    'system_mail.contents': WRITE,
  },
  sequences: ['credits.ledger_position'],
  functions: ['credits', 'email', 'idempotency', 'messaging', 'partitions', 'system_mail'],
};
