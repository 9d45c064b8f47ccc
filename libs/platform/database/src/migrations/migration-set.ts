import type { MigrationInterface } from 'typeorm';
import type { RepeatableMigration } from './repeatable-migrations';

/** The schema of one service or library: a PostgreSQL schema with its migrations. */
export interface MigrationSet {
  schema: string;
  /** Versioned migrations: each runs once. */
  migrations: (new () => MigrationInterface)[];
  /**
   * Functions, replaced when their text changes. A set without this property leaves the functions of the schema
   * unchanged; an empty list removes them.
   */
  repeatable?: RepeatableMigration[];
}
