import type { EventContract, EventEnvelope, EventOf } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import type { ClientBase, Pool } from 'pg';

export interface NewEvent<C extends EventContract> {
  id?: string;
  organizationId: string | null;
  workspaceId: string | null;
  correlationId: string | null;
  data: EventOf<C>['data'];
}

/** Creates the envelope of an event. */
export function composeEvent<C extends EventContract>(
  contract: C,
  event: NewEvent<C>,
): EventEnvelope<EventOf<C>['data']> {
  return {
    id: event.id ?? newId(),
    type: contract.type,
    version: contract.version,
    time: new Date().toISOString(),
    organizationId: event.organizationId,
    workspaceId: event.workspaceId,
    correlationId: event.correlationId,
    data: event.data,
  };
}

/** Adds events to the outbox, in the transaction of the change that they report. */
export async function addToOutbox(transaction: ClientBase, events: EventEnvelope[]): Promise<void> {
  if (events.length === 0) return;
  await transaction.query(
    `INSERT INTO messaging.outbox (id, type, payload)
     SELECT (e->>'id')::uuid, e->>'type', e FROM json_array_elements($1::json) AS e`,
    [JSON.stringify(events)],
  );
}

/** Removes an event that is not yet due, in the transaction of the change that makes it obsolete. */
export async function removeFromOutbox(transaction: ClientBase, id: string): Promise<void> {
  await transaction.query('DELETE FROM messaging.outbox WHERE id = $1', [id]);
}

/**
 * Schedules the redelivery of an event to one queue. The event keeps its id, so the outbox row gets a new one. The job of a
 * worker waits in its lane again when it is due.
 */
export async function addRetryToOutbox(
  database: ClientBase | Pool,
  retry: { queue: string; payload: EventEnvelope; attempt: number; delayMs: number },
): Promise<void> {
  await database.query(
    `INSERT INTO messaging.outbox (id, type, payload, available_at, queue, attempt, job_queue, kind, lane)
     SELECT $1, $2, $3, now() + $4 * interval '1 millisecond', $5, $6,
       (SELECT q.queue FROM messaging.job_queues AS q WHERE q.queue = $5),
       messaging.job_kind($3::json -> 'data' ->> 'kind'), messaging.job_lane(($3::json ->> 'organizationId')::uuid)`,
    [newId(), retry.payload.type, JSON.stringify(retry.payload), retry.delayMs, retry.queue, retry.attempt],
  );
}
