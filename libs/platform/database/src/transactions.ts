import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';

/** Returns the pg client of an open TypeORM transaction, for functions that run plain SQL. */
export async function clientOf({ queryRunner }: EntityManager): Promise<PoolClient> {
  if (!queryRunner?.isTransactionActive) throw new Error('Call this inside a transaction.');
  const client: PoolClient = await queryRunner.connect();
  return client;
}

const UNIQUE_VIOLATION = '23505';

/** True when a write failed because of a unique constraint; with `index`, of that constraint only. */
export function isUniqueViolation(error: unknown, index?: string): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === UNIQUE_VIOLATION && (index === undefined || constraint === index);
}
