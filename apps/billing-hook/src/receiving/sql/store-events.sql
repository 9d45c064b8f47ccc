-- Stores events of the processor once per id, and adds a job for each stored event to the outbox. Returns one row for each row of the
-- batch: `stored`, or `repeated` if the event is already stored or an earlier row of the batch has the same id, or `differs` if in
-- addition its body differs from the stored one.
--
-- Arrival numbers follow the order of the batch. Rows are inserted in the order of their ids, so that two processes with the same
-- events cannot deadlock. `payload` is the body, which is stored unchanged.
CREATE OR REPLACE FUNCTION billing.store_events(batch json)
RETURNS TABLE (ord integer, outcome text)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  given_count bigint;
  stored_ords integer[];
  stored_at text := messaging.rfc3339(now());
BEGIN
  WITH calls AS MATERIALIZED (
    SELECT c.*, nextval('billing.arrivals') AS arrival FROM json_to_recordset(batch) AS c (
      ord integer, id text, type text, created float8, customer text, correlation_id text, job_id uuid, payload json)
  ), stored AS (
    INSERT INTO billing.events (id, type, created, arrival, customer, payload, correlation_id)
    SELECT c.id, c.type, coalesce(to_timestamp(c.created), date_trunc('second', now())), c.arrival, c.customer, c.payload,
      c.correlation_id
    FROM calls AS c ORDER BY c.id, c.ord
    ON CONFLICT DO NOTHING
    RETURNING arrival
  ), new_events AS MATERIALIZED (
    SELECT c.ord, c.id, c.type, c.correlation_id, c.job_id FROM calls AS c JOIN stored USING (arrival)
  ), announced AS (
    INSERT INTO messaging.outbox (id, type, payload)
    SELECT n.job_id, 'billing.event.received', messaging.event(
      n.job_id, 'billing.event.received', stored_at, NULL, NULL, n.correlation_id,
      json_build_object('eventId', n.id, 'eventType', n.type))
    FROM new_events AS n ORDER BY n.ord
  )
  SELECT count(*), coalesce(array_agg(n.ord) FILTER (WHERE n.ord IS NOT NULL), '{}')
  INTO given_count, stored_ords
  FROM calls AS c LEFT JOIN new_events AS n ON n.ord = c.ord;

  RETURN QUERY SELECT s.ord, 'stored' FROM unnest(stored_ords) AS s (ord);
  IF cardinality(stored_ords) < given_count THEN
    -- A second statement, because the first statement does not see events that other transactions committed after it began.
    RETURN QUERY
    SELECT c.ord, CASE WHEN e.payload::text <> c.payload::text THEN 'differs' ELSE 'repeated' END
    FROM json_to_recordset(batch) AS c (ord integer, id text, payload json)
    LEFT JOIN billing.events AS e ON e.id = c.id
    WHERE c.ord <> ALL (stored_ords);
  END IF;
END $$;
