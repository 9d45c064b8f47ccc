import { type CommitPools, maintainWeeklyPartitions, newId, partitionsMigrations } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createCommitPools, createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { webhooksMigrations } from '../migration-set';
import { QueueRepository, type AttemptResult, type DueDelivery, type Lease } from './queue.repository';

export const LEASE_MS = 30_000;

export interface EndpointState {
  failures: number;
  failures_in_row: number;
  failing_since: Date | null;
  open_until: Date | null;
}

/** The queue in a separate database, and helpers that lease endpoints and record attempts. */
export class QueueFixture {
  readonly queue: QueueRepository;

  private constructor(
    private readonly database: TestDatabase,
    readonly pool: Pool,
    private readonly commits: CommitPools,
  ) {
    this.queue = new QueueRepository(pool, commits);
  }

  static async start(): Promise<QueueFixture> {
    const database = await createTestDatabase([partitionsMigrations, messagingMigrations, webhooksMigrations]);
    const pool = new Pool({ connectionString: database.url, max: 6 });
    for (const table of ['webhooks.events', 'webhooks.deliveries']) {
      await maintainWeeklyPartitions(pool, { table, retentionDays: 30 });
    }
    return new QueueFixture(database, pool, createCommitPools(database.url, pool));
  }

  async stop(): Promise<void> {
    await this.commits.onApplicationShutdown();
    await this.pool.end();
    await this.database.drop();
  }

  async clear(): Promise<void> {
    await this.pool.query('TRUNCATE webhooks.queue, webhooks.deliveries, webhooks.events, webhooks.subscriptions');
  }

  /** Creates an endpoint with due deliveries. */
  async endpoint(due: number, organizationId = newId()): Promise<string> {
    const id = newId();
    await this.pool.query(
      `INSERT INTO webhooks.subscriptions (id, organization_id, url, events, api_version, secret)
       VALUES ($1, $2, 'https://example.com/', '{*}', '2026-11-23', 'sealed')`,
      [id, organizationId],
    );
    await this.pool.query(
      `WITH added AS (
         INSERT INTO webhooks.events (id, organization_id, sequence, type, body)
         SELECT webhooks.new_id(now()), $2, n, 'sms.sent', '{}' FROM generate_series(1, $3::integer) AS n RETURNING id),
       logged AS (
         INSERT INTO webhooks.deliveries (id, subscription_id, organization_id, event_id, event_type)
         SELECT webhooks.new_id(now()), $1, $2, id, 'sms.sent' FROM added RETURNING id, event_id)
       INSERT INTO webhooks.queue (delivery_id, subscription_id, event_id, due_at)
       SELECT id, $1, event_id, date_trunc('second', now()) FROM logged`,
      [id, organizationId, due],
    );
    return id;
  }

  lease(worker: string, change: Partial<Lease> = {}, at = new Date()): Promise<string[]> {
    return this.queue.claimAcrossTenants(
      { worker, held: [], renews: false, released: [], most: 100, leaseMs: LEASE_MS, ...change },
      at,
    );
  }

  due(id: string, most = 100, known: string[] = []): Promise<DueDelivery[]> {
    return this.queue.readDueAcrossTenants([{ subscriptionId: id, most }], known, new Date());
  }

  result({ id, subscriptionId }: DueDelivery, status: AttemptResult['status'], second: number): AttemptResult {
    const at = new Date(Date.UTC(2026, 10, 24, 0, 0, second));
    const attempt = { at: at.toISOString(), duration_ms: 1, status_code: 200, error: null, response_body: null };
    const next = status === 'pending' ? new Date(Date.now() + 60_000) : null;
    return { deliveryId: id, subscriptionId, status, nextAttemptAt: next, attempt };
  }

  record(...results: AttemptResult[]) {
    return this.queue.recordAcrossTenants(results, new Date(), true);
  }

  async stateOf(id: string): Promise<EndpointState> {
    const { rows } = await this.pool.query<EndpointState>(
      'SELECT failures, failures_in_row, failing_since, open_until FROM webhooks.subscriptions WHERE id = $1',
      [id],
    );
    return rows[0]!;
  }
}
