import { maintainWeeklyPartitions, newId, partitionsMigrations } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { webhooksMigrations } from '../migration-set';
import { ClaimsRepository, type AttemptResult, type DueDelivery } from './claims.repository';

interface EndpointState {
  failures: number;
  failures_in_row: number;
  failing_since: Date | null;
  open_until: Date | null;
}

describe('the queue of deliveries', () => {
  let database: TestDatabase;
  let pool: Pool;
  let claims: ClaimsRepository;
  beforeAll(async () => {
    database = await createTestDatabase([partitionsMigrations, messagingMigrations, webhooksMigrations]);
    pool = new Pool({ connectionString: database.url, max: 6 });
    claims = new ClaimsRepository(pool);
    for (const table of ['webhooks.events', 'webhooks.deliveries']) {
      await maintainWeeklyPartitions(pool, { table, retentionDays: 30 });
    }
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE webhooks.queue, webhooks.deliveries, webhooks.events, webhooks.subscriptions');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Creates an endpoint with due deliveries. */
  const endpoint = async (due: number, organizationId = newId()): Promise<string> => {
    const id = newId();
    await pool.query(
      `INSERT INTO webhooks.subscriptions (id, organization_id, url, events, api_version, secret)
       VALUES ($1, $2, 'https://example.com/', '{*}', '2026-11-23', 'sealed')`,
      [id, organizationId],
    );
    await pool.query(
      `WITH added AS (
         INSERT INTO webhooks.events (id, organization_id, sequence, type, body)
         SELECT webhooks.new_id(now()), $2, n, 'sms.sent', '{}' FROM generate_series(1, $3::integer) AS n RETURNING id),
       logged AS (
         INSERT INTO webhooks.deliveries (id, subscription_id, organization_id, event_id, event_type)
         SELECT webhooks.new_id(now()), $1, $2, id, 'sms.sent' FROM added RETURNING id)
       INSERT INTO webhooks.queue (delivery_id, subscription_id, organization_id, due_at)
       SELECT id, $1, $2, date_trunc('second', now()) FROM logged`,
      [id, organizationId, due],
    );
    return id;
  };
  const claim = (most = 100) => claims.claimAcrossTenants(most, new Date());
  const countOf = (claimed: readonly DueDelivery[], id: string) =>
    claimed.filter(({ subscriptionId }) => subscriptionId === id).length;
  const result = (
    { id, subscriptionId }: DueDelivery,
    status: AttemptResult['status'],
    second: number,
  ): AttemptResult => {
    const at = new Date(Date.UTC(2026, 10, 24, 0, 0, second));
    const attempt = { at: at.toISOString(), duration_ms: 1, status_code: 200, error: null, response_body: null };
    const next = status === 'pending' ? new Date(Date.now() + 60_000) : null;
    return { deliveryId: id, subscriptionId, at, status, nextAttemptAt: next, attempt };
  };
  const record = (...results: AttemptResult[]) => claims.recordAcrossTenants(results, new Date());
  const stateOf = async (id: string): Promise<EndpointState> => {
    const { rows } = await pool.query<EndpointState>(
      'SELECT failures, failures_in_row, failing_since, open_until FROM webhooks.subscriptions WHERE id = $1',
      [id],
    );
    return rows[0]!;
  };

  it('leases at most 10 deliveries of an endpoint and 100 of an organization to all concurrent workers', async () => {
    const organizationId = newId();
    const many = await Promise.all(Array.from({ length: 15 }, () => endpoint(20, organizationId)));
    const other = await endpoint(20);
    const claimed: DueDelivery[] = [];
    for (let round = 0; round < 5; round++) {
      const all = await Promise.all([claim(), claim(), claim(), claim()]);
      claimed.push(...all.flat());
    }
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
    expect(countOf(claimed, other)).toBe(10);
    expect(Math.max(...many.map((id) => countOf(claimed, id)))).toBe(10);
    expect(claimed).toHaveLength(110);
    await record(...claimed.slice(0, 5).map((one, index) => result(one, 'delivered', index)));
    expect(await claim()).toHaveLength(5);
  });

  it('serves endpoints in turn, also if many other endpoints are busy', async () => {
    for (let index = 0; index < 30; index++) await endpoint(20);
    for (let round = 0; round < 3; round++) expect(await claim()).toHaveLength(100);
    expect(await claim()).toEqual([]);
    const late = await endpoint(20);
    expect(countOf(await claim(5), late)).toBe(5);
    const [one, other] = [await endpoint(20), await endpoint(20)];
    expect((await claim(10)).every(({ subscriptionId }) => subscriptionId === one || subscriptionId === other)).toBe(
      true,
    );
    const next = await claim(20);
    expect([countOf(next, one) + countOf(next, other), countOf(next, late)]).toEqual([10, 5]);
  });

  it('leases a delivery again when its lease has ended', async () => {
    await endpoint(1);
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    const [again] = await claims.claimAcrossTenants(1, new Date(Date.now() + 61_000));
    expect(again!.id).toBe(first!.id);
  });

  it('opens the circuit after 10 consecutive failures, and probes it with one delivery', async () => {
    const id = await endpoint(20);
    const claimed = await claim();
    await record(...claimed.slice(0, 9).map((one, index) => result(one, 'pending', index)));
    expect(await stateOf(id)).toMatchObject({ failures: 9, failures_in_row: 9, open_until: null });
    await record(result(claimed[9]!, 'pending', 9));
    const { open_until: until, ...state } = await stateOf(id);
    expect(state).toEqual({ failures: 10, failures_in_row: 10, failing_since: new Date('2026-11-24T00:00:00Z') });
    expect(until!.getTime() - Date.now()).toBeGreaterThan(3_000);
    expect(await claim()).toEqual([]);
    const later = new Date(Date.now() + 6_000);
    expect(await claims.claimAcrossTenants(100, later)).toHaveLength(1);
    expect(await claims.claimAcrossTenants(100, later)).toEqual([]);
  });

  it('counts the failures after the last success of a batch, and each attempt once', async () => {
    const id = await endpoint(6);
    const [a, b, c, d, e, f] = await claim();
    await record(result(a!, 'pending', 1), result(b!, 'delivered', 2));
    expect(await stateOf(id)).toMatchObject({ failures: 0, failures_in_row: 0, failing_since: null });
    const mixed = [result(c!, 'delivered', 3), result(d!, 'pending', 4), result(e!, 'failed', 5)];
    await record(...mixed);
    expect(await stateOf(id)).toMatchObject({ failures: 2, failing_since: new Date('2026-11-24T00:00:04Z') });
    // This repeats a call: a delivery that is no longer in the queue is not counted again.
    await record(mixed[2]!);
    expect(await stateOf(id)).toMatchObject({ failures: 2 });
    const logged = async () =>
      (
        await pool.query<{ status: string; tried: number; attempts: object[] }>(
          'SELECT status, tried, attempts FROM webhooks.deliveries WHERE tried > 0 ORDER BY first_tried_at',
        )
      ).rows;
    const before = await logged();
    expect(before.map(({ status, tried }) => [status, tried])).toEqual([
      ['pending', 1],
      ['delivered', 1],
      ['delivered', 1],
      ['pending', 1],
      ['failed', 1],
    ]);
    await record(mixed[0]!, mixed[2]!);
    expect(await logged()).toEqual(before);
    await record(result(f!, 'delivered', 6));
    expect(await stateOf(id)).toMatchObject({ failures: 0, failing_since: null, open_until: null });
  });
});
