import { z } from 'zod';

/** Settings of every service that stores something. */
export const databaseSettings = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  /** A statement that runs longer is canceled, so that a held lock or a full disk cannot hang a caller. */
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).default(10_000),
  DATABASE_CONNECT_TIMEOUT_MS: z.coerce.number().int().min(100).default(3_000),
});

export type DatabaseSettings = z.output<typeof databaseSettings>;
