import { firstIdOf, newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import type { Pool, PoolClient } from 'pg';
import { DeliveriesRepository } from '../log/deliveries.repository';
import { storedEventOf } from '../log/event-body';
import { appendEvents } from '../log/event-log';
import { LogRetention } from '../log/log-retention';
import { LEASE_MS, QueueFixture } from './queue.fixture';
import type { AttemptResult, QueueRepository } from './queue.repository';

describe('the queue of deliveries', () => {
  let fixture: QueueFixture;
  let pool: Pool;
  let queue: QueueRepository;
  beforeAll(async () => {
    fixture = await QueueFixture.start();
    ({ pool, queue } = fixture);
  });
  beforeEach(() => fixture.clear());
  afterAll(() => fixture.stop());

  /** A worker that leases endpoints. */
  const ours = newId();
  const others = newId();

  it('leases an endpoint to one of the concurrent workers', async () => {
    const ids = [];
    for (let index = 0; index < 30; index++) ids.push(await fixture.endpoint(1));
    const leased = await Promise.all(Array.from({ length: 6 }, () => fixture.lease(newId(), { most: 10 })));
    for (let round = 0; round < 3; round++) leased.push(await fixture.lease(newId(), { most: 10 }));
    expect(leased.flat().sort()).toEqual(ids.sort());
    expect(Math.max(...leased.map(({ length }) => length))).toBe(10);
  });

  it('leases the endpoints that were served longest ago first, in turn for each organization', async () => {
    const organizationId = newId();
    const many = [];
    for (let index = 0; index < 5; index++) many.push(await fixture.endpoint(1, organizationId));
    const other = await fixture.endpoint(1);
    expect(await fixture.lease(ours, { most: 2 })).toEqual(expect.arrayContaining([other]));
    const [first] = await fixture.lease(others, { most: 1 });
    await fixture.lease(others, { released: [first!], most: 0 });
    // Three endpoints of the organization were never leased.
    const rest = await fixture.lease(others, { most: 3 });
    expect(many).toEqual(expect.arrayContaining(rest));
    expect(rest).not.toContain(first);
    expect(await fixture.lease(others, { held: rest })).toEqual([first]);
  });

  it('renews leases, and leases an endpoint again when it is released or its lease has expired', async () => {
    const id = await fixture.endpoint(1);
    expect(await fixture.lease(ours)).toEqual([id]);
    expect(await fixture.lease(others)).toEqual([]);
    expect(await fixture.lease(ours, { held: [id] })).toEqual([]);
    const soon = new Date(Date.now() + LEASE_MS - 1_000);
    expect(await fixture.lease(ours, { held: [id], renews: true }, soon)).toEqual([id]);
    const late = new Date(Date.now() + LEASE_MS + 5_000);
    expect(await fixture.lease(others, {}, late)).toEqual([]);
    await fixture.lease(ours, { released: [id], most: 0 });
    expect(await fixture.lease(others, {}, late)).toEqual([id]);
    const expired = new Date(late.getTime() + LEASE_MS + 1_000);
    expect(await fixture.lease(ours, {}, expired)).toEqual([id]);
    expect(await fixture.lease(others, { held: [id], renews: true, released: [id] }, expired)).toEqual([]);
    expect(await fixture.lease(newId(), {}, expired)).toEqual([]);
  });

  it('releases, renews and leases endpoints although the row of another one is locked', async () => {
    const [locked, held] = [await fixture.endpoint(1), await fixture.endpoint(1)].sort() as [string, string];
    expect((await fixture.lease(ours)).sort()).toEqual([locked, held]);
    const fresh = await fixture.endpoint(1);
    const locker = await pool.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('SELECT FROM webhooks.subscriptions WHERE id = $1 FOR UPDATE', [locked]);
      expect((await fixture.lease(ours, { held: [locked, held], renews: true })).sort()).toEqual([held, fresh].sort());
      expect(await fixture.lease(ours, { held: [held], released: [locked, fresh] })).toEqual([fresh]);
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
    expect(await fixture.lease(ours, { held: [held, fresh] })).toEqual([locked]);
  });

  it('records attempts of an endpoint while the row of another one is locked', async () => {
    const locked = await fixture.endpoint(1);
    const other = await fixture.endpoint(1);
    const resultOf = async (id: string): Promise<AttemptResult> =>
      fixture.result((await fixture.due(id))[0]!, 'pending', 0);
    const results = [await resultOf(locked), await resultOf(other)] as const;
    const locker = await pool.connect();
    try {
      await locker.query('BEGIN');
      await locker.query('SELECT FROM webhooks.subscriptions WHERE id = $1 FOR UPDATE', [locked]);
      await expect(queue.recordAcrossTenants(results, new Date(), false)).rejects.toMatchObject({ code: '55P03' });
      expect(await fixture.due(other)).toHaveLength(1);
      await queue.recordAcrossTenants([results[1]], new Date(), false);
      expect(await fixture.due(other)).toHaveLength(0);
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
    await queue.recordAcrossTenants([results[0]], new Date(), false);
    expect(await fixture.due(locked)).toHaveLength(0);
  });

  it('reads due deliveries in their order, without those that are known', async () => {
    const id = await fixture.endpoint(5);
    await pool.query(
      `UPDATE webhooks.queue SET due_at = now() + interval '1 hour'
       WHERE delivery_id = (SELECT max(delivery_id::text)::uuid FROM webhooks.queue)`,
    );
    const all = await fixture.due(id);
    expect(all).toHaveLength(4);
    const [first] = await fixture.due(id, 1);
    expect(await fixture.due(id, 100, [first!.id])).toHaveLength(3);
    expect(first).toMatchObject({ subscriptionId: id, tried: 0, firstTriedAt: null, body: '{}' });
  });

  it('opens the circuit after 10 consecutive failures, and leases the endpoint again to probe it', async () => {
    const id = await fixture.endpoint(20);
    const [, ...claimed] = await fixture.due(id);
    await fixture.record(...claimed.slice(0, 9).map((one, index) => fixture.result(one, 'pending', index)));
    expect(await fixture.stateOf(id)).toMatchObject({ failures: 9, failures_in_row: 9, open_until: null });
    await fixture.record(fixture.result(claimed[9]!, 'pending', 9));
    const { open_until: until, ...state } = await fixture.stateOf(id);
    expect(state).toEqual({ failures: 10, failures_in_row: 10, failing_since: new Date('2026-11-24T00:00:00Z') });
    expect(until!.getTime() - Date.now()).toBeGreaterThan(3_000);
    expect(await fixture.lease(ours)).toEqual([]);
    expect(await fixture.lease(ours, {}, new Date(Date.now() + 6_000))).toEqual([id]);
    const { rows } = await pool.query<{ tried: number }>('SELECT tried FROM webhooks.queue WHERE due_at > now()');
    expect(rows.map(({ tried }) => tried)).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('counts the failures after the last success of a batch, and each attempt once', async () => {
    const id = await fixture.endpoint(6);
    const [a, b, c, d, e, f] = await fixture.due(id);
    await fixture.record(fixture.result(a!, 'pending', 1), fixture.result(b!, 'delivered', 2));
    expect(await fixture.stateOf(id)).toMatchObject({ failures: 0, failures_in_row: 0, failing_since: null });
    const mixed = [
      fixture.result(c!, 'delivered', 3),
      fixture.result(d!, 'pending', 4),
      fixture.result(e!, 'failed', 5),
    ];
    await fixture.record(...mixed);
    expect(await fixture.stateOf(id)).toMatchObject({ failures: 2, failing_since: new Date('2026-11-24T00:00:04Z') });
    // This repeats a call: a delivery that is no longer in the queue is not counted again.
    await fixture.record(mixed[2]!);
    expect(await fixture.stateOf(id)).toMatchObject({ failures: 2 });
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
    await fixture.record(mixed[0]!, mixed[2]!);
    expect(await logged()).toEqual(before);
    await fixture.record(fixture.result(f!, 'delivered', 6));
    expect(await fixture.stateOf(id)).toMatchObject({ failures: 0, failing_since: null, open_until: null });
  });

  it('counts a delivery whose every attempt fails once, so that 20 failed attempts are not 20 failed deliveries', async () => {
    const id = await fixture.endpoint(21);
    const [a, b, ...others] = await fixture.due(id);
    const failing = () => queue.failingAcrossTenants(new Date('2026-11-25T00:00:00Z'), 20);
    // Requests run at the same time, so their results are not recorded in the order in which they started.
    for (let second = 1; second <= 21; second += 2) {
      await fixture.record(fixture.result(b!, 'pending', second + 1));
      await fixture.record(fixture.result(a!, 'pending', second));
    }
    const since = new Date('2026-11-24T00:00:01Z');
    expect(await fixture.stateOf(id)).toMatchObject({ failures: 2, failures_in_row: 22, failing_since: since });
    await fixture.record(...others.slice(0, 17).map((one) => fixture.result(one, 'pending', 30)));
    expect(await failing()).toEqual([]);
    await fixture.record(fixture.result(others[17]!, 'pending', 31));
    expect(await failing()).toEqual([id]);
  });

  it('does not return a switched-off endpoint as failing', async () => {
    const id = await fixture.endpoint(1);
    await fixture.record(...(await fixture.due(id)).map((one) => fixture.result(one, 'pending', 1)));
    const failing = () => queue.failingAcrossTenants(new Date('2026-11-25T00:00:00Z'), 1);
    expect(await failing()).toEqual([id]);
    await pool.query('UPDATE webhooks.subscriptions SET active = false');
    expect(await failing()).toEqual([]);
  });

  /** Replaces the event of each delivery by one that was dropped. */
  const dropEvents = () =>
    pool.query('UPDATE webhooks.deliveries SET event_id = $1', [
      firstIdOf(new Date(Date.now() - 40 * 24 * 60 * 60_000)),
    ]);
  const queued = async (): Promise<string[]> =>
    (await pool.query<{ id: string }>('SELECT delivery_id AS id FROM webhooks.queue')).rows.map(({ id }) => id);

  it('retries a delivery only while its event is stored', async () => {
    const id = await fixture.endpoint(1);
    const [delivery] = await fixture.due(id);
    const deliveries = new DeliveriesRepository(pool);
    const client = await pool.connect();
    const retry = () => deliveries.retry(client, id, delivery!.id, new Date());
    try {
      await fixture.record(fixture.result(delivery!, 'failed', 1));
      expect(await retry()).toMatchObject({ id: delivery!.id, status: 'pending' });
      expect(await fixture.due(id)).toMatchObject([{ id: delivery!.id, tried: 0 }]);
      await fixture.record(fixture.result(delivery!, 'failed', 2));
      await dropEvents();
      expect(await retry()).toBeNull();
      expect(await queued()).toEqual([]);
    } finally {
      client.release();
    }
  });

  it('ends deliveries whose event or subscription no longer exists', async () => {
    const [dropped] = await fixture.due(await fixture.endpoint(1));
    await dropEvents();
    await pool.query(
      'UPDATE webhooks.queue AS q SET event_id = d.event_id FROM webhooks.deliveries AS d WHERE d.id = q.delivery_id',
    );
    const [deleted] = await fixture.due(await fixture.endpoint(1));
    await pool.query('DELETE FROM webhooks.subscriptions WHERE id = $1', [deleted!.subscriptionId]);
    const [live] = await fixture.due(await fixture.endpoint(1));
    await new LogRetention(pool, queue).maintain();
    expect(await queued()).toEqual([live!.id]);
    const { rows } = await pool.query(
      `SELECT id, status, attempts -> -1 ->> 'error' AS error, next_attempt_at AS next
       FROM webhooks.deliveries ORDER BY error`,
    );
    expect(rows).toEqual([
      { id: dropped!.id, status: 'failed', error: 'The event is no longer stored.', next: null },
      { id: deleted!.id, status: 'failed', error: 'The webhook was deleted.', next: null },
      { id: live!.id, status: 'pending', error: null, next: null },
    ]);
  });

  it('leaves no delivery of a subscription that is deleted while events are appended', async () => {
    const organizationId = newId();
    const id = await fixture.endpoint(2, organizationId);
    const append = (client: Pool | PoolClient) => {
      const event = { sourceId: newId(), type: 'sms.sent', time: new Date(), organizationId } as const;
      const stored = storedEventOf({ ...event, workspaceId: null, subjectId: null, data: {} });
      return appendEvents(client, [stored], new Date());
    };
    const isBlocked = () =>
      until('a transaction waits for a lock', async () => {
        const { rows } = await pool.query(
          'SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0',
        );
        return rows.length > 0;
      });
    await pool.query('INSERT INTO webhooks.streams VALUES ($1, 2)', [organizationId]);
    const appending = await pool.connect();
    const deleting = await pool.connect();
    try {
      await appending.query('BEGIN');
      await append(appending);
      // Workers can lease the endpoint and record attempts before the commit.
      expect(await fixture.lease(ours)).toEqual([id]);
      await fixture.record(fixture.result((await fixture.due(id))[0]!, 'pending', 1));
      expect(await fixture.stateOf(id)).toMatchObject({ failures: 1 });
      await deleting.query('BEGIN');
      const deleted = deleting.query('DELETE FROM webhooks.subscriptions WHERE id = $1', [id]);
      await isBlocked();
      await appending.query('COMMIT');
      await deleted;
      await new DeliveriesRepository(pool).endPending(deleting, id);
      const appended = append(pool);
      await isBlocked();
      await deleting.query('COMMIT');
      await appended;
      expect(await queued()).toEqual([]);
    } finally {
      // Closing the connections ends transactions of a failed test.
      appending.release(true);
      deleting.release(true);
    }
  });

  it('counts a delivery again if it fails after a success', async () => {
    const id = await fixture.endpoint(3);
    const [a, b, c] = await fixture.due(id);
    await fixture.record(fixture.result(a!, 'pending', 1), fixture.result(b!, 'pending', 1));
    await fixture.record(fixture.result(c!, 'delivered', 2));
    for (const second of [3, 5]) {
      await fixture.record(fixture.result(a!, 'pending', second), fixture.result(b!, 'pending', second + 1));
      expect(await fixture.stateOf(id)).toMatchObject({ failures: 2, failing_since: new Date('2026-11-24T00:00:03Z') });
    }
  });
});
