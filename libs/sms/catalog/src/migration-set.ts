import type { MigrationSet } from '@heliograph/database';
import { SmsCatalog1700000000000 } from './migrations/1700000000000-sms-catalog';
import { Onboarding } from './onboarding.entity';
import { Rate } from './rate.entity';
import { Sender } from './sender.entity';
import { Template } from './template.entity';

/** sms-api keeps its messages in the same schema; its set holds these migrations too. */
export const smsCatalogMigrations: MigrationSet = {
  schema: 'sms',
  migrations: [SmsCatalog1700000000000],
};
export const smsCatalogEntities = [Onboarding, Sender, Template, Rate];
