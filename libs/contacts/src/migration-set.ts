import type { MigrationSet } from '@heliograph/database';
import { ContactGroup } from './contact-group.entity';
import { ContactImports1700000000001 } from './migrations/1700000000001-contact-imports';
import { ImportFailures1700000000002 } from './migrations/1700000000002-import-failures';
import { ImportsByOrganization1700000000331 } from './migrations/1700000000331-imports-by-organization';
import { WaitingRows1700000000202 } from './migrations/1700000000202-waiting-rows';
import { Contacts1700000000000 } from './migrations/1700000000000-contacts';
import advanceClock from './sql/advance-clock.sql';

export const contactsMigrations: MigrationSet = {
  schema: 'contacts',
  migrations: [
    Contacts1700000000000,
    ContactImports1700000000001,
    ImportFailures1700000000002,
    WaitingRows1700000000202,
    ImportsByOrganization1700000000331,
  ],
  repeatable: [{ name: 'advance-clock', sql: advanceClock }],
};
/** Contacts, memberships and consents are hot tables without an entity. */
export const contactsEntities = [ContactGroup];
