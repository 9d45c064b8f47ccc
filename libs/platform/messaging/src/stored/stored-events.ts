import type { ClientBase } from 'pg';
import type { EventEnvelope } from '@heliograph/contracts';
import { isId } from '@heliograph/database';

/** The lane of events without an organization. */
const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

/** An event that waits in queues. */
export interface NewStoredEvent {
  queues: readonly string[];
  /** The JSON text of an EventEnvelope. */
  body: string;
  attempt: number;
}

export interface TakenEvent {
  /** A bigint. */
  id: string;
  organizationId: string;
  payload: EventEnvelope;
  attempt: number;
  waitedMs: number;
}

export interface NewDeadLetter {
  queue: string;
  body: string;
  error: string;
}

/** Adds events to queues in PostgreSQL, in the transaction of the caller. */
export async function addStoredEvents(transaction: ClientBase, events: readonly NewStoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await transaction.query({
    name: 'stored-add',
    text: `INSERT INTO messaging.stored_events (queue, organization_id, payload, attempt)
       SELECT q.name, e.organization_id, e.payload, e.attempt
       FROM (
         SELECT queues::text[] AS queues, organization_id, payload, attempt
         FROM unnest($1::text[], $2::uuid[], $3::json[], $4::integer[]) AS u (queues, organization_id, payload, attempt)
         -- Otherwise PostgreSQL parses the payload again for each queue.
         OFFSET 0) AS e
       CROSS JOIN unnest(e.queues) AS q (name)`,
    values: [
      // Array literals as text, because the rows of a two-dimensional array must have the same length.
      events.map(({ queues }) => `{${queues.join(',')}}`),
      events.map(({ body }) => laneOf(body)),
      events.map(({ body }) => body),
      events.map(({ attempt }) => attempt),
    ],
  });
}

function laneOf(body: string): string {
  const organizationId = (JSON.parse(body) as Partial<EventEnvelope> | null)?.organizationId;
  return isId(organizationId) ? organizationId : NO_ORGANIZATION;
}

export async function addDeadLetters(transaction: ClientBase, letters: readonly NewDeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  await transaction.query(
    `INSERT INTO messaging.dead_letters (queue, payload, error)
     SELECT l.queue, l.body::json, l.error FROM json_to_recordset($1::json) AS l (queue text, body text, error text)`,
    [JSON.stringify(letters)],
  );
}
