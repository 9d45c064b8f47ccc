import type { MigrationSet } from '@heliograph/database';
import { EmailDomain } from './domain.entity';
import { EmailCatalog1700000000000 } from './migrations/1700000000000-email-catalog';
import { EmailSender } from './sender.entity';
import { EmailSuppression } from './suppression.entity';
import { EmailTemplate } from './template.entity';
import { TrackingSetting } from './tracking-setting.entity';

/** email-api keeps its messages in the same schema; its set holds these migrations too. */
export const emailCatalogMigrations: MigrationSet = { schema: 'email', migrations: [EmailCatalog1700000000000] };
export const emailCatalogEntities = [EmailDomain, EmailSender, EmailTemplate, EmailSuppression, TrackingSetting];
