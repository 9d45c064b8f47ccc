import { Injectable } from '@nestjs/common';
import { isId, toPage, type Page, type PageOf } from '@heliograph/database';
import { Pool, type ClientBase } from 'pg';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Attempt {
  /** RFC 3339 */
  at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
}

export interface Delivery {
  id: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  attempts: Attempt[];
  nextAttemptAt: Date | null;
  createdAt: Date;
}

/** A delivery of an event about a message, with its endpoint. */
export interface SubjectDelivery extends Delivery {
  subscriptionId: string;
  /** Null for a deleted subscription. */
  url: string | null;
}

export interface DeliveryFilter {
  status?: string | undefined;
  eventType?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
}

/** Maximum number of deliveries that one replay adds. */
export const MAX_REPLAYED = 10_000;

const COLUMNS = `d.id, d.event_id AS "eventId", d.event_type AS "eventType", d.status, d.attempts,
  d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt"`;

/** The deliveries of subscriptions. The caller has checked that the subscription belongs to the organization. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly pool: Pool) {}

  /** Newest first. */
  async list(subscriptionId: string, filter: DeliveryFilter, page: Page): Promise<PageOf<Delivery>> {
    const values: unknown[] = [subscriptionId];
    const conditions = ['d.subscription_id = $1'];
    const add = (condition: string, value: unknown): void => {
      if (value !== undefined && value !== null) conditions.push(`${condition} $${values.push(value)}`);
    };
    add('d.status =', filter.status);
    add('d.event_type =', filter.eventType);
    add('d.created_at >=', filter.from);
    add('d.created_at <', filter.until);
    add('d.id <', page.after);
    const { rows } = await this.pool.query<Delivery>(
      `SELECT ${COLUMNS} FROM webhooks.deliveries AS d WHERE ${conditions.join(' AND ')}
       ORDER BY d.id DESC LIMIT ${page.limit + 1}`,
      values,
    );
    return toPage(rows, page, ({ id }) => id);
  }

  /** Deliveries of events about the subjects, oldest first. */
  async listOfSubjects(
    organizationId: string,
    subjectIds: readonly string[],
    limit: number,
  ): Promise<SubjectDelivery[]> {
    const { rows } = await this.pool.query<SubjectDelivery>(
      `SELECT ${COLUMNS}, d.subscription_id AS "subscriptionId", s.url
       FROM webhooks.deliveries AS d LEFT JOIN webhooks.subscriptions AS s ON s.id = d.subscription_id
       WHERE d.organization_id = $1 AND d.subject_id = ANY ($2) ORDER BY d.id LIMIT $3`,
      [organizationId, subjectIds, limit],
    );
    return rows;
  }

  /**
   * Makes a delivery due now, with the retries of a new one. Null for an unknown delivery, and for one whose event is no
   * longer stored: a replayed delivery is younger than its event.
   */
  async retry(client: ClientBase, subscriptionId: string, id: string, at: Date): Promise<Delivery | null> {
    if (!isId(id)) return null;
    const { rows } = await client.query<Delivery>(
      `WITH retried AS (
         UPDATE webhooks.deliveries AS d
         SET status = 'pending', tried = 0, first_tried_at = NULL, next_attempt_at = $3
         WHERE d.id = $1 AND d.subscription_id = $2
           AND EXISTS (SELECT FROM webhooks.events AS e WHERE e.id = d.event_id)
         RETURNING d.*),
       queued AS (
         INSERT INTO webhooks.queue (delivery_id, subscription_id, event_id, due_at)
         SELECT r.id, r.subscription_id, r.event_id, $3 FROM retried AS r
         ON CONFLICT (delivery_id) DO UPDATE SET due_at = excluded.due_at, tried = 0, first_tried_at = NULL)
       SELECT ${COLUMNS} FROM retried AS d`,
      [id, subscriptionId, at],
    );
    return rows[0] ?? null;
  }

  /**
   * Adds deliveries of stored events, oldest first. With `status`, only of events with a delivery of this status to this
   * subscription. Returns their number, which is `MAX_REPLAYED + 1` if there are too many; then nothing may be committed.
   */
  async replay(
    client: ClientBase,
    subscriptionId: string,
    range: { from: Date; until: Date; status: DeliveryStatus | null },
    at: Date,
  ): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `WITH chosen AS (
         SELECT webhooks.new_id($5) AS delivery_id, s.id AS subscription_id, e.organization_id, e.id, e.type, e.subject_id
         FROM webhooks.subscriptions AS s JOIN webhooks.events AS e ON e.organization_id = s.organization_id
         WHERE s.id = $1 AND e.created_at >= $2 AND e.created_at < $3 AND webhooks.matches(s.events, e.type)
           AND (s.workspace_id IS NULL OR s.workspace_id = e.workspace_id)
           AND ($4::text IS NULL OR EXISTS (
             SELECT FROM webhooks.deliveries AS d WHERE d.subscription_id = s.id AND d.event_id = e.id AND d.status = $4))
         ORDER BY e.sequence LIMIT ${MAX_REPLAYED + 1}),
       logged AS (
         INSERT INTO webhooks.deliveries
           (id, subscription_id, organization_id, event_id, event_type, subject_id, next_attempt_at, created_at)
         SELECT c.delivery_id, c.subscription_id, c.organization_id, c.id, c.type, c.subject_id, $5, $5 FROM chosen AS c),
       queued AS (
         INSERT INTO webhooks.queue (delivery_id, subscription_id, event_id, due_at)
         SELECT c.delivery_id, c.subscription_id, c.id, $5 FROM chosen AS c)
       SELECT count(*)::int AS count FROM chosen`,
      [subscriptionId, range.from, range.until, range.status, at],
    );
    return rows[0]?.count ?? 0;
  }

  /** Ends all unfinished deliveries; only a replay sends them later. */
  async endPending(client: ClientBase, subscriptionId: string): Promise<void> {
    await client.query(
      `WITH ended AS (DELETE FROM webhooks.queue WHERE subscription_id = $1 RETURNING delivery_id)
       UPDATE webhooks.deliveries SET status = 'failed', next_attempt_at = NULL
       WHERE id IN (SELECT delivery_id FROM ended) AND status = 'pending'`,
      [subscriptionId],
    );
  }
}
