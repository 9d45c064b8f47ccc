import type { MigrationSet } from '@heliograph/database';
import { EmailDomain } from './domains/domain.entity';
import { EmailCatalog1700000000000 } from './migrations/1700000000000-email-catalog';
import { EmailMessages1700000000001 } from './migrations/1700000000001-email-messages';
import { RecipientKinds1700000000106 } from './migrations/1700000000106-recipient-kinds';
import { EmailDue1700000000101 } from './migrations/1700000000101-email-due';
import { EmailSender } from './senders/sender.entity';
import { EmailSuppression } from './suppressions/suppression.entity';
import { EmailTemplate } from './templates/template.entity';
import { TrackingSetting } from './tracking/tracking-setting.entity';

/** All tables of the schema. Its functions are in the migration set of the code that calls them. */
export const emailCatalogMigrations: MigrationSet = {
  schema: 'email',
  migrations: [
    EmailCatalog1700000000000,
    EmailMessages1700000000001,
    EmailDue1700000000101,
    RecipientKinds1700000000106,
  ],
};
export const emailCatalogEntities = [EmailDomain, EmailSender, EmailTemplate, EmailSuppression, TrackingSetting];
