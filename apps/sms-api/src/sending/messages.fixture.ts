import type { JobLane } from '@heliograph/contracts';
import { creditsMigrations } from '@heliograph/credits';
import { type CommitPools, maintainWeeklyPartitions, newId, partitionsMigrations } from '@heliograph/database';
import { campaignsMigrations } from '@heliograph/campaigns';
import { contactsMigrations } from '@heliograph/contacts';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations } from '@heliograph/messaging';
import { createCommitPools, createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { smsMigrations } from '../migration-set';
import type { SubmitRecord } from './submits.repository';

const MIGRATIONS = [
  messagingMigrations,
  creditsMigrations,
  partitionsMigrations,
  idempotencyMigrations,
  contactsMigrations,
  campaignsMigrations,
  smsMigrations,
];

/** Messages of one workspace in a separate database, without the service. */
export class MessagesFixture {
  readonly organizationId = newId();
  /** The lane of the messages in a worker. */
  readonly lane: JobLane = { kind: 'bulk', organizationId: this.organizationId };
  readonly workspaceId = newId();

  private constructor(
    private readonly database: TestDatabase,
    readonly pool: Pool,
    readonly commits: CommitPools,
  ) {}

  static async start(): Promise<MessagesFixture> {
    const database = await createTestDatabase(MIGRATIONS);
    const pool = new Pool({ connectionString: database.url });
    for (const table of ['sms.messages', 'sms.parts']) {
      await maintainWeeklyPartitions(pool, { table, retentionDays: 1_000 });
    }
    return new MessagesFixture(database, pool, createCommitPools(database.url, pool));
  }

  async stop(): Promise<void> {
    await this.commits.onApplicationShutdown();
    await this.pool.end();
    await this.database.drop();
  }

  /** Stores a message that cost 2 credits, and returns its id. */
  async message(status = 'queued'): Promise<string> {
    const id = newId();
    await this.pool.query(
      `INSERT INTO sms.messages (id, organization_id, workspace_id, sender_id, created_at, credits_cost, segments, flash, status,
         encoding, country, header, recipient, body)
       VALUES ($1, $2, $3, gen_random_uuid(), now(), 2, 1, false, $4, 'gsm-7', 'IN', 'ACMEIN', '+919876500001', 'Hi')`,
      [id, this.organizationId, this.workspaceId, status],
    );
    return id;
  }

  async statusOf(id: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ status: string }>('SELECT status FROM sms.messages WHERE id = $1', [id]);
    return rows[0]?.status;
  }

  /** Credits that were refunded for a message. */
  async refundOf(id: string): Promise<number> {
    const { rows } = await this.pool.query<{ amount: number }>(
      `SELECT coalesce(sum(amount), 0)::int AS amount FROM credits.ledger WHERE reference = $1 AND kind = 'refund'`,
      [`sms:${id}`],
    );
    return rows[0]?.amount ?? 0;
  }

  /** The outcome of a submit to the carrier `one`. */
  outcome(id: string, outcome: SubmitRecord['outcome'], more: Partial<SubmitRecord> = {}): SubmitRecord {
    const error = outcome === 'sent' ? null : 'The carrier said no.';
    return {
      id,
      outcome,
      carrier: 'one',
      upstream_ids: [],
      error,
      at: new Date().toISOString(),
      attempts: null,
      ...more,
    };
  }
}
