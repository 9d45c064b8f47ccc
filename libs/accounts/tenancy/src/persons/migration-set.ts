import type { MigrationSet } from '@heliograph/database';
import { Persons1700000000000 } from './migrations/1700000000000-persons';
import { ErasureBlocks1700000000105 } from './migrations/1700000000105-erasure-blocks';
import requeue from './sql/requeue.sql';

export const personsMigrations: MigrationSet = {
  schema: 'persons',
  migrations: [Persons1700000000000, ErasureBlocks1700000000105],
  repeatable: [{ name: 'requeue', sql: requeue }],
};
