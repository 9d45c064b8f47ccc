import { Injectable } from '@nestjs/common';
import { CommitPools } from '@heliograph/database';
import { queryQuietly } from '@heliograph/messaging';
import { Pool } from 'pg';
import type { Attempt, DeliveryStatus } from '../log/deliveries.repository';
import { CIRCUIT } from './circuit';
import type { SignedSubscription } from './compose-request';

/** A delivery that is due. */
export interface DueDelivery {
  id: string;
  subscriptionId: string;
  eventId: string;
  tried: number;
  firstTriedAt: Date | null;
  body: string;
}

/** An endpoint as far as its requests need it. */
export interface Endpoint extends SignedSubscription {
  organizationId: string;
  url: string;
  failuresInRow: number;
  /** The time at which an open circuit is probed; null for a closed circuit. */
  openUntil: Date | null;
}

export interface Lease {
  /** Identifies this process. */
  worker: string;
  /** Endpoints that the worker holds and keeps. */
  held: readonly string[];
  /** Whether the leases of `held` are renewed. */
  renews: boolean;
  released: readonly string[];
  /** Maximum number of further endpoints. */
  most: number;
  leaseMs: number;
}

/** How many deliveries to read for an endpoint. */
export interface Want {
  subscriptionId: string;
  most: number;
}

/** The result of an attempt. */
export interface AttemptResult {
  deliveryId: string;
  subscriptionId: string;
  status: DeliveryStatus;
  nextAttemptAt: Date | null;
  attempt: Attempt;
}

export interface QueueState {
  pending: number;
  /** Waiting time of the oldest due delivery. */
  lagSeconds: number;
  openCircuits: number;
}

/** The queue of deliveries and the leases of endpoints, across all tenants, because workers deliver for all of them. */
@Injectable()
export class QueueRepository {
  constructor(
    private readonly pool: Pool,
    private readonly commits: CommitPools,
  ) {}

  /** Renews, releases and takes leases of endpoints. Returns the ids of the endpoints whose leases were renewed or taken. */
  async claimAcrossTenants({ worker, held, renews, released, most, leaseMs }: Lease, at: Date): Promise<string[]> {
    const rows = await queryQuietly<{ id: string }>(this.pool, {
      name: 'webhooks-claim',
      text: 'SELECT webhooks.claim($1, $2, $3, $4, $5, $6, $7) AS id',
      values: [worker, held, renews, released, most, leaseMs, at],
    });
    return rows.map(({ id }) => id);
  }

  async endpointsAcrossTenants(ids: readonly string[], at: Date): Promise<Endpoint[]> {
    const { rows } = await this.pool.query<Endpoint>({
      name: 'webhooks-endpoints',
      text: `SELECT s.id, s.organization_id AS "organizationId", s.url, s.headers, s.secret,
         CASE WHEN s.previous_secret_until > $2 THEN s.previous_secret END AS "previousSecret",
         s.failures_in_row AS "failuresInRow", s.open_until AS "openUntil"
       FROM webhooks.subscriptions AS s WHERE s.id = ANY ($1)`,
      values: [ids, at],
    });
    return rows;
  }

  /** Reads due deliveries, oldest first, without those in `known`. Only the holder of the lease may call it. */
  async readDueAcrossTenants(wants: readonly Want[], known: readonly string[], at: Date): Promise<DueDelivery[]> {
    const { rows } = await this.pool.query<DueDelivery>({
      name: 'webhooks-due',
      text: `SELECT q.delivery_id AS id, q.subscription_id AS "subscriptionId", q.event_id AS "eventId", q.tried,
         q.first_tried_at AS "firstTriedAt", e.body::text AS body
       FROM unnest($1::uuid[], $2::integer[]) AS w (id, most)
       CROSS JOIN LATERAL (
         SELECT * FROM webhooks.queue AS q
         WHERE q.subscription_id = w.id AND q.due_at <= $4 AND q.delivery_id <> ALL ($3)
         ORDER BY q.due_at LIMIT w.most) AS q
       JOIN webhooks.events AS e ON e.id = q.event_id`,
      values: [wants.map(({ subscriptionId }) => subscriptionId), wants.map(({ most }) => most), known, at],
    });
    return rows;
  }

  /** Throws 55P03 without `waitsForLocks`, if somebody else has locked the row of an endpoint for more than a moment. */
  async recordAcrossTenants(results: readonly AttemptResult[], at: Date, waitsForLocks: boolean): Promise<void> {
    const subscriptionIds = [...new Set(results.map(({ subscriptionId }) => subscriptionId))];
    const hasFailed = results.some(({ status }) => status !== 'delivered');
    const items = results.map(({ deliveryId, status, nextAttemptAt, attempt }) => ({
      deliveryId,
      status,
      attempt,
      nextAttemptAt: nextAttemptAt ?? undefined,
    }));
    await this.commits.of(waitsForLocks).query({
      name: 'webhooks-record',
      text: 'SELECT webhooks.record($1, $2, $3, $4, $5, $6)',
      values: [JSON.stringify(items), subscriptionIds, hasFailed, at, CIRCUIT.opensAfter, CIRCUIT.pausesSeconds],
    });
  }

  /** Active subscriptions whose every delivery has failed since `since`, and at least `deliveries` of them. */
  async failingAcrossTenants(since: Date, deliveries: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM webhooks.subscriptions
       WHERE active AND disabled_at IS NULL AND failing_since <= $1 AND failures >= $2 LIMIT 100`,
      [since, deliveries],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Ends deliveries that cannot be made: the event, whose id is lower than `dropped`, or the subscription no longer exists.
   * A delivery whose attempt is being recorded is left for the next call.
   */
  async endOrphanedAcrossTenants(dropped: string, at: Date): Promise<void> {
    await this.pool.query(
      `WITH orphaned AS (
         SELECT q.delivery_id, 'The event is no longer stored.' AS error FROM webhooks.queue AS q
         WHERE q.event_id < $1
           AND NOT EXISTS (SELECT FROM webhooks.events AS e WHERE e.id = q.event_id AND e.id < $1)
         UNION ALL
         SELECT q.delivery_id, 'The webhook was deleted.' FROM webhooks.queue AS q
         WHERE NOT EXISTS (SELECT FROM webhooks.subscriptions AS s WHERE s.id = q.subscription_id)),
       locked AS (
         SELECT q.delivery_id, o.error FROM orphaned AS o JOIN webhooks.queue AS q USING (delivery_id)
         FOR UPDATE OF q SKIP LOCKED),
       ended AS (
         DELETE FROM webhooks.queue AS q USING locked AS l WHERE q.delivery_id = l.delivery_id
         RETURNING q.delivery_id, l.error)
       UPDATE webhooks.deliveries AS d SET status = 'failed', next_attempt_at = NULL,
         attempts = d.attempts || jsonb_build_object('at', $2::text, 'duration_ms', 0, 'status_code', NULL,
           'error', e.error, 'response_body', NULL)
       FROM ended AS e WHERE d.id = e.delivery_id AND d.status = 'pending'`,
      [dropped, at.toISOString()],
    );
  }

  async stateAcrossTenants(at: Date): Promise<QueueState> {
    const { rows } = await this.pool.query<QueueState>(
      `SELECT (SELECT count(*)::int FROM webhooks.queue) AS pending,
         (SELECT coalesce(extract(epoch FROM $1 - min(due_at)), 0)::float FROM webhooks.queue
          WHERE due_at <= $1) AS "lagSeconds",
         (SELECT count(*)::int FROM webhooks.subscriptions WHERE open_until IS NOT NULL AND disabled_at IS NULL)
           AS "openCircuits"`,
      [at],
    );
    return rows[0] ?? { pending: 0, lagSeconds: 0, openCircuits: 0 };
  }
}
