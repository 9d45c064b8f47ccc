import { z } from 'zod';

/** Configuration of every service with a database. */
export const databaseConfigSchema = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// or postgresql:// URL'),
  /** A role that every connection assumes. Unset: connections keep the privileges of the user in DATABASE_URL. */
  DATABASE_ROLE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be the name of a PostgreSQL role')
    .optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  /** Longer statements are canceled, so that a lock or a full disk does not block callers forever. */
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).default(10_000),
  /** A statement that waits longer for a row that somebody else has locked is canceled, so that only its caller notices the lock. */
  DATABASE_LOCK_TIMEOUT_MS: z.coerce.number().int().min(100).default(2_000),
  DATABASE_CONNECT_TIMEOUT_MS: z.coerce.number().int().min(100).default(3_000),
});

export type DatabaseConfig = z.output<typeof databaseConfigSchema>;
