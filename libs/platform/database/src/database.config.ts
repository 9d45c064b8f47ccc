import { z } from 'zod';

/** Configuration of every service with a database. */
export const databaseConfigSchema = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// or postgresql:// URL')
    .meta({
      description: 'PostgreSQL, and the user of the service in it.',
      form: 'a postgres:// or postgresql:// URL',
      example: 'postgres://sms_api:$(openssl rand -hex 32)@postgres:5432/heliograph',
      secret: true,
    }),
  DATABASE_ROLE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be the name of a PostgreSQL role')
    .optional()
    .meta({
      description:
        'A role that every connection assumes. Unset: connections keep the privileges of the user in DATABASE_URL.',
      form: 'the name of a PostgreSQL role',
      example: 'heliograph_sms_api',
    }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10).meta({
    description: 'Maximum connections of the main pool of a process. Group commits use up to six more connections.',
  }),
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).default(10_000).meta({
    description: 'Longer statements are canceled, so that a lock or a full disk does not block callers forever.',
  }),
  DATABASE_LOCK_TIMEOUT_MS: z.coerce.number().int().min(100).default(2_000).meta({
    description:
      'A statement that waits longer for a row that somebody else has locked is canceled, so that only its caller notices the lock.',
  }),
  DATABASE_CONNECT_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(3_000)
    .meta({ description: 'Maximum time that a statement waits for a connection.' }),
});

export type DatabaseConfig = z.output<typeof databaseConfigSchema>;
