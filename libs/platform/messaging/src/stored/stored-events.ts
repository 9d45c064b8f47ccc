import type { ClientBase } from 'pg';
import type { EventEnvelope } from '@heliograph/contracts';

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
       SELECT q.name, CASE WHEN o.id ~ '^[0-9a-f-]{36}$' THEN o.id::uuid ELSE '${NO_ORGANIZATION}' END, e.body::json, e.attempt
       FROM json_to_recordset($1::json) AS e (queues text[], body text, attempt integer)
       CROSS JOIN unnest(e.queues) AS q (name)
       CROSS JOIN LATERAL (SELECT e.body::json ->> 'organizationId' AS id) AS o`,
    values: [JSON.stringify(events)],
  });
}

export async function addDeadLetters(transaction: ClientBase, letters: readonly NewDeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  await transaction.query(
    `INSERT INTO messaging.dead_letters (queue, payload, error)
     SELECT l.queue, l.body::json, l.error FROM json_to_recordset($1::json) AS l (queue text, body text, error text)`,
    [JSON.stringify(letters)],
  );
}
