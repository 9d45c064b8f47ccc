import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Attempt, DeliveryStatus } from '../log/deliveries.repository';
import { CIRCUIT } from './circuit';

/** Deliveries of one endpoint, and of one organization, that are in flight at a time. */
const PER_ENDPOINT = 10;
const PER_ORGANIZATION = 100;
/** Longer than an attempt takes. After this time another worker repeats the delivery. */
const LEASE_MS = 60_000;

/** A delivery that is due, with what its request needs. */
export interface DueDelivery {
  id: string;
  subscriptionId: string;
  eventId: string;
  tried: number;
  firstTriedAt: Date | null;
  body: string;
  url: string;
  headers: Record<string, string>;
  secret: string;
  previousSecret: string | null;
}

/** The result of an attempt. */
export interface AttemptResult {
  deliveryId: string;
  subscriptionId: string;
  at: Date;
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

/** The queue of deliveries, across all tenants, because workers deliver for all of them. */
@Injectable()
export class ClaimsRepository {
  constructor(private readonly pool: Pool) {}

  async claimAcrossTenants(most: number, at: Date): Promise<DueDelivery[]> {
    const { rows: claimed } = await this.pool.query<{ delivery_id: string }>({
      name: 'webhooks-claim',
      text: 'SELECT delivery_id FROM webhooks.claim($1, $2, $3, $4, $5)',
      values: [most, PER_ENDPOINT, PER_ORGANIZATION, LEASE_MS, at],
    });
    if (claimed.length === 0) return [];
    // A separate statement, because the claim can return deliveries that were committed after it started.
    const { rows } = await this.pool.query<DueDelivery>({
      name: 'webhooks-claimed',
      text: `SELECT d.id, d.subscription_id AS "subscriptionId", d.event_id AS "eventId", d.tried,
         d.first_tried_at AS "firstTriedAt", e.body::text AS body, s.url, s.headers, s.secret,
         CASE WHEN s.previous_secret_until > $2 THEN s.previous_secret END AS "previousSecret"
       FROM webhooks.deliveries AS d
       JOIN webhooks.events AS e ON e.id = d.event_id
       JOIN webhooks.subscriptions AS s ON s.id = d.subscription_id
       WHERE d.id = ANY ($1)`,
      values: [claimed.map(({ delivery_id: id }) => id), at],
    });
    return rows;
  }

  async recordAcrossTenants(results: readonly AttemptResult[], at: Date): Promise<void> {
    const values = [JSON.stringify(results), at, CIRCUIT.opensAfter, CIRCUIT.pausesSeconds];
    await this.pool.query({ name: 'webhooks-record', text: 'SELECT webhooks.record($1, $2, $3, $4)', values });
  }

  /** Subscriptions whose every delivery has failed since `since`, and at least `failures` times. */
  async failingAcrossTenants(since: Date, failures: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM webhooks.subscriptions
       WHERE disabled_at IS NULL AND failing_since <= $1 AND failures >= $2 LIMIT 100`,
      [since, failures],
    );
    return rows.map(({ id }) => id);
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
