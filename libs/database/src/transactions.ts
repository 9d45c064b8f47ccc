import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';

/** The pg connection of a TypeORM transaction, for what speaks plain SQL within it. */
export function clientOf({ queryRunner }: EntityManager): PoolClient {
  const client = (queryRunner as { databaseConnection?: PoolClient } | undefined)?.databaseConnection;
  if (!client) throw new Error('This write belongs into a transaction.');
  return client;
}

const UNIQUE_VIOLATION = '23505';

/** Whether a write failed because a value that must be unique is there already; of one index, where it is named. */
export function isUniqueViolation(error: unknown, index?: string): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === UNIQUE_VIOLATION && (index === undefined || constraint === index);
}
