-- Stores events of the processor once per id, and adds a job for each stored event to the outbox. Returns one row for each row of the
-- batch: `is_new` is false if the event is already stored, or if an earlier row of the batch has the same id.
--
-- Arrival numbers follow the order of the batch. Rows are inserted in the order of their ids, so that two processes with the same
-- events cannot deadlock. `payload` is the body, which is stored unchanged.
CREATE OR REPLACE FUNCTION billing.store_events(batch json)
RETURNS TABLE (ord integer, is_new boolean)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH calls AS MATERIALIZED (
    SELECT c.* FROM json_to_recordset(batch) AS c (
      ord integer, id text, type text, created float8, customer text, correlation_id text, job_id uuid, payload json)
  ), given AS MATERIALIZED (
    SELECT f.*, nextval('billing.arrivals') AS arrival
    FROM (SELECT c.* FROM calls AS c
          WHERE c.ord IN (SELECT min(o.ord) FROM calls AS o GROUP BY o.id)
          ORDER BY c.ord) AS f
  ), stored AS (
    INSERT INTO billing.events (id, type, created, arrival, customer, payload, correlation_id)
    SELECT g.id, g.type, coalesce(to_timestamp(g.created), date_trunc('second', now())), g.arrival, g.customer, g.payload,
      g.correlation_id
    FROM given AS g ORDER BY g.id
    ON CONFLICT DO NOTHING
    RETURNING id
  ), new_events AS MATERIALIZED (
    SELECT g.* FROM given AS g JOIN stored AS s ON s.id = g.id
  ), announced AS (
    INSERT INTO messaging.outbox (id, type, payload)
    SELECT n.job_id, 'billing.event.received', messaging.event(
      n.job_id, 'billing.event.received', messaging.rfc3339(now()), NULL, NULL, n.correlation_id,
      json_build_object('eventId', n.id, 'eventType', n.type))
    FROM new_events AS n ORDER BY n.arrival
  )
  SELECT c.ord, n.ord IS NOT NULL FROM calls AS c LEFT JOIN new_events AS n ON n.ord = c.ord;
END $$;
