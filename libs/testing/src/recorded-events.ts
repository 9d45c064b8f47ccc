import { ALL_EVENTS, parseEvent, type EventEnvelope } from '@heliograph/contracts';
import type { Client } from 'pg';

const CHECKED_EVENTS = 20_000;

/** Copies every event that a test database publishes, except retries, which have a queue. */
export const RECORD_EVENTS_SQL = `
  CREATE SCHEMA testing;
  CREATE UNLOGGED TABLE testing.events (payload json NOT NULL);
  CREATE FUNCTION testing.record_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    INSERT INTO testing.events SELECT a.payload FROM added AS a WHERE a.queue IS NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER record_events AFTER INSERT ON messaging.outbox REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION testing.record_events()`;

/** Returns the violations of event contracts in a database, one sentence per event type. */
export async function invalidEvents(client: Client): Promise<string[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('testing.events') IS NOT NULL AS exists`,
  );
  if (!found[0]?.exists) return [];
  const { rows } = await client.query<{ payload: EventEnvelope }>('SELECT payload FROM testing.events LIMIT $1', [
    CHECKED_EVENTS,
  ]);
  const problems = new Map<string, string>();
  for (const { payload } of rows) {
    const contract = ALL_EVENTS.find(({ type }) => type === payload.type);
    // Tests of the bus publish their own event types.
    if (!contract || problems.has(payload.type)) continue;
    try {
      parseEvent(contract, payload);
    } catch (error) {
      problems.set(payload.type, `${payload.type} does not match its contract: ${String(error)}`);
    }
  }
  return [...problems.values()];
}
