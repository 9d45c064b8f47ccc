import type { MigrationSet } from '@heliograph/database';
import { Persons1700000000000 } from './migrations/1700000000000-persons';

export const personsMigrations: MigrationSet = { schema: 'persons', migrations: [Persons1700000000000] };
