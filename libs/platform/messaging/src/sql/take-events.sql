-- Deletes and returns due events of the outbox, oldest first. Jobs that have become due enter their lane; they are returned without
-- a body, because they are not published yet. PostgreSQL may keep a plan from a time when the outbox was empty, so
-- sequential scans and sorts are disabled and every plan uses the index.
CREATE OR REPLACE FUNCTION messaging.take_events(most integer)
RETURNS TABLE (id uuid, type text, body text, queue text, attempt integer, available_at timestamptz)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  events tid[];
  jobs tid[];
BEGIN
  SELECT array_agg(d.ctid) FILTER (WHERE d.job_queue IS NULL), array_agg(d.ctid) FILTER (WHERE d.job_queue IS NOT NULL)
  INTO events, jobs FROM (
    SELECT o.ctid, o.job_queue FROM messaging.outbox AS o WHERE NOT o.in_lane AND o.available_at <= now()
    ORDER BY o.available_at LIMIT most FOR UPDATE SKIP LOCKED) AS d;
  IF events IS NOT NULL THEN
    RETURN QUERY
    DELETE FROM messaging.outbox AS o WHERE o.ctid = ANY (events)
    RETURNING o.id, o.type, o.payload::text, o.queue, o.attempt, o.available_at;
  END IF;
  IF jobs IS NOT NULL THEN
    RETURN QUERY
    UPDATE messaging.outbox AS o SET in_lane = true WHERE o.ctid = ANY (jobs)
    RETURNING o.id, o.type, NULL::text, o.queue, o.attempt, o.available_at;
  END IF;
END $$;
