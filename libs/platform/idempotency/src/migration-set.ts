import type { MigrationSet } from '@heliograph/database';
import { Answers1700000000000 } from './migrations/1700000000000-answers';
import claim from './sql/claim.sql';

export const idempotencyMigrations: MigrationSet = {
  schema: 'idempotency',
  migrations: [Answers1700000000000],
  repeatable: [{ name: 'claim', sql: claim }],
};
