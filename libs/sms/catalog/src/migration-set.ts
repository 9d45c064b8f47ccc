import type { MigrationSet } from '@heliograph/database';
import { SmsCatalog1700000000000 } from './migrations/1700000000000-sms-catalog';
import { SmsMessages1700000000001 } from './migrations/1700000000001-sms-messages';
import { UpstreamAnswers1700000000002 } from './migrations/1700000000002-upstream-answers';
import { SmsDue1700000000101 } from './migrations/1700000000101-sms-due';
import { Onboarding } from './onboarding.entity';
import { Rate } from './rate.entity';
import { Sender } from './sender.entity';
import { Template } from './template.entity';

/** All tables of the schema. Its functions are in the migration set of the code that calls them. */
export const smsCatalogMigrations: MigrationSet = {
  schema: 'sms',
  migrations: [SmsCatalog1700000000000, SmsMessages1700000000001, UpstreamAnswers1700000000002, SmsDue1700000000101],
};
export const smsCatalogEntities = [Onboarding, Sender, Template, Rate];
