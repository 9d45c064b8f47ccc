import type { MigrationSet } from '@heliograph/database';
import { emailCatalogEntities, emailCatalogMigrations } from '@heliograph/email-catalog';
import { RecordedEmailEvent } from './events/recorded-event.entity';
import { EmailMessage } from './messages/message.entity';
import { EmailRecipient } from './messages/recipient.entity';
import { EmailMessages1700000000001 } from './migrations/1700000000001-email-messages';

/** The catalog shares the schema, and so the list of what has been run: one set, in one order. */
export const emailMigrations: MigrationSet = {
  schema: 'email',
  migrations: [...emailCatalogMigrations.migrations, EmailMessages1700000000001],
};
export const emailEntities = [...emailCatalogEntities, EmailMessage, EmailRecipient, RecordedEmailEvent];
