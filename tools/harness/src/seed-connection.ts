import { benchCustomer } from '@heliograph/bench-data';
import { post, type LedgerPosting } from '@heliograph/credits';
import { createDataSource, databaseConfigSchema, type Entities } from '@heliograph/database';
import { Pool } from 'pg';
import type { DataSource } from 'typeorm';

const STATEMENT_TIMEOUT_MS = 120_000;

/** Credits of a seeded workspace, more than a run can use. */
export const GRANT = 1_000_000_000;

export interface BenchWorkspace {
  organizationId: string;
  workspaceId: string;
}

/** Opens a data source and a pool on a database, runs `work`, and closes both. */
export async function withSeedConnection<T>(
  databaseUrl: string,
  entities: Entities,
  work: (dataSource: DataSource, pool: Pool) => Promise<T>,
): Promise<T> {
  const settings = databaseConfigSchema.parse({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: 4,
    DATABASE_STATEMENT_TIMEOUT_MS: STATEMENT_TIMEOUT_MS,
  });
  const dataSource = await createDataSource(settings, 'seed', entities).initialize();
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return await work(dataSource, pool);
  } finally {
    await Promise.all([dataSource.destroy(), pool.end()]);
  }
}

/** Returns the main workspaces of the first `count` seeded organizations, in order. */
export async function benchWorkspaces(pool: Pool, count: number): Promise<BenchWorkspace[]> {
  const customers = Array.from({ length: count }, (_, index) => benchCustomer(index));
  const { rows } = await pool.query<BenchWorkspace>(
    `SELECT organization_id AS "organizationId", id AS "workspaceId" FROM tenancy.workspaces
     WHERE billing_customer = ANY ($1) ORDER BY array_position($1, billing_customer)`,
    [customers],
  );
  if (rows.length !== count) throw new Error(`${rows.length} of ${count} workspaces are seeded`);
  return rows;
}

export async function grantCredits(
  pool: Pool,
  workspace: BenchWorkspace,
  creditType: LedgerPosting['creditType'],
  amount: number = GRANT,
): Promise<void> {
  const reference = `seed:${creditType}:${workspace.workspaceId}`;
  await post(pool, [{ ...workspace, creditType, kind: 'topup', amount, reference, correlationId: null }]);
}
