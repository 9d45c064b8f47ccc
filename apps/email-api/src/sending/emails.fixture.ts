import { campaignsMigrations } from '@heliograph/campaigns';
import type { JobLane } from '@heliograph/contracts';
import { contactsMigrations } from '@heliograph/contacts';
import { creditsMigrations } from '@heliograph/credits';
import { type CommitPools, maintainWeeklyPartitions, newId, partitionsMigrations } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations } from '@heliograph/messaging';
import { createCommitPools, createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { emailMigrations } from '../migration-set';
import type { AttemptRecord } from './attempts.repository';

const MIGRATIONS = [
  messagingMigrations,
  creditsMigrations,
  partitionsMigrations,
  idempotencyMigrations,
  contactsMigrations,
  campaignsMigrations,
  emailMigrations,
];

/** Emails of one workspace in a separate database, without the service. */
export class EmailsFixture {
  readonly organizationId = newId();
  /** The lane of the emails in a worker. */
  readonly lane: JobLane = { kind: 'bulk', organizationId: this.organizationId };
  readonly workspaceId = newId();

  private constructor(
    private readonly database: TestDatabase,
    readonly pool: Pool,
    readonly commits: CommitPools,
  ) {}

  static async start(): Promise<EmailsFixture> {
    const database = await createTestDatabase(MIGRATIONS);
    const pool = new Pool({ connectionString: database.url });
    for (const table of ['email.messages', 'email.recipients', 'email.events']) {
      await maintainWeeklyPartitions(pool, { table, retentionDays: 1_000 });
    }
    return new EmailsFixture(database, pool, createCommitPools(database.url, pool));
  }

  async stop(): Promise<void> {
    await this.commits.onApplicationShutdown();
    await this.pool.end();
    await this.database.drop();
  }

  /** Stores an email whose recipients have the given states, and returns its id. */
  async email(status: string, states: readonly string[]): Promise<string> {
    const id = newId();
    await this.pool.query(
      `INSERT INTO email.messages (id, organization_id, workspace_id, created_at, track_opens, track_clicks, status,
         from_address, subject, text)
       VALUES ($1, $2, $3, now(), false, false, $4, 'hello@acme.example', 'Hi', 'Hi')`,
      [id, this.organizationId, this.workspaceId, status],
    );
    await this.pool.query(
      `INSERT INTO email.recipients (message_id, position, state, address)
       SELECT $1::uuid, s.position - 1, s.state, concat($1::text, '-', s.position - 1, '@example.com')
       FROM unnest($2::text[]) WITH ORDINALITY AS s (state, position)`,
      [id, states],
    );
    return id;
  }

  /** Suppresses recipients of an email for every mail. */
  async suppress(id: string, positions: readonly number[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO email.suppressions (organization_id, address_key, scope, address, reason)
       SELECT $1, address, 'all', address, 'manual' FROM email.recipients WHERE message_id = $2 AND position = ANY ($3)`,
      [this.organizationId, id, positions],
    );
  }

  /** The status of an email, and the states of its recipients in their order. */
  async statesOf(id: string): Promise<{ status: string; states: string[] } | undefined> {
    const { rows } = await this.pool.query<{ status: string; states: string[] }>(
      `SELECT m.status, array_agg(r.state ORDER BY r.position) AS states
       FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id WHERE m.id = $1 GROUP BY m.status`,
      [id],
    );
    return rows[0];
  }

  /** Credits that were refunded for an email. */
  async refundOf(id: string): Promise<number> {
    const { rows } = await this.pool.query<{ amount: number }>(
      `SELECT coalesce(sum(amount), 0)::int AS amount FROM credits.ledger
       WHERE starts_with(reference, $1) AND kind = 'refund'`,
      [`email:${id}`],
    );
    return rows[0]?.amount ?? 0;
  }

  attempt(id: string, position: number, outcome: AttemptRecord['outcome']): AttemptRecord {
    return {
      message_id: id,
      position,
      outcome,
      copies: 1,
      event_id: newId(),
      suppresses: false,
      suppress_after_days: null,
      error: outcome === 'sent' ? null : 'The server said no.',
      next_try_at: outcome === 'deferred' ? new Date().toISOString() : null,
      at: new Date().toISOString(),
      mail_token: 'token',
    };
  }
}
