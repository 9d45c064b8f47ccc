import type { Logger } from 'typeorm';

/** Writes nothing: TypeORM writes failed migrations as plain text to the console, and the caller of `migrate` logs the error. */
export const quietLogger: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};
