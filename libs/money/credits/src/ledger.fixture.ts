import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { post, type LedgerPosting } from './ledger';
import { creditsMigrations } from './migration-set';

export interface EventRow {
  type: string;
  payload: { id: string; correlationId: string | null; organizationId: string; workspaceId: string; data: object };
}

/** A ledger in a separate database, and helpers to fill and read it. */
export class LedgerFixture {
  readonly organizationId = newId();

  private constructor(
    readonly database: TestDatabase,
    private readonly dataSource: DataSource,
    readonly pool: Pool,
  ) {}

  static async start(): Promise<LedgerFixture> {
    const database = await createTestDatabase([messagingMigrations, creditsMigrations]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 12 });
    const dataSource = await createDataSource(settings, 'ledger fixture', []).initialize();
    return new LedgerFixture(database, dataSource, poolOf(dataSource));
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }

  posting(workspaceId: string, amount: number, more: Partial<LedgerPosting> = {}): LedgerPosting {
    return {
      organizationId: this.organizationId,
      workspaceId,
      creditType: 'sms',
      kind: amount < 0 ? 'charge' : 'topup',
      amount,
      reference: `test:${newId()}`,
      correlationId: null,
      ...more,
    };
  }

  /** Creates a workspace with the given credits and returns its id. */
  async account(amount: number): Promise<string> {
    const workspaceId = newId();
    if (amount > 0) await post(this.pool, [this.posting(workspaceId, amount)]);
    return workspaceId;
  }

  /** Runs work in a transaction, and commits unless it throws. */
  async within<T>(work: (transaction: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const answer = await work(client);
      await client.query('COMMIT');
      return answer;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  entries(workspaceId: string): Promise<{ kind: string; amount: string; balance_after: string; reference: string }[]> {
    return this.database.query(
      'SELECT kind, amount, balance_after, reference FROM credits.ledger WHERE workspace_id = $1 ORDER BY position',
      [workspaceId],
    );
  }

  /** Returns the events of the workspace in the outbox, without the event of its first top-up. */
  async events(workspaceId: string): Promise<EventRow[]> {
    const events = await this.database.query<EventRow>(
      `SELECT type, payload FROM messaging.outbox WHERE payload->>'workspaceId' = $1
       ORDER BY (payload->'data'->>'entryId') NULLS LAST`,
      [workspaceId],
    );
    return events[0]?.type === 'credits.topped_up' ? events.slice(1) : events;
  }
}
