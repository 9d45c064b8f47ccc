-- Deletes and returns due rows of the outbox, including jobs, whose queues and lanes it ignores. The release before the lanes calls it; later
-- releases call `take_events` and `take_jobs`. PostgreSQL may keep a plan from a time when the outbox was empty, so
-- sequential scans and sorts are disabled and every plan uses the indexes.
CREATE OR REPLACE FUNCTION messaging.take_due(most integer)
RETURNS TABLE (id uuid, type text, body text, queue text, attempt integer, available_at timestamptz)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_sort = off AS $$
BEGIN
  RETURN QUERY
  DELETE FROM messaging.outbox AS o WHERE o.ctid = ANY (ARRAY(
    SELECT d.ctid FROM messaging.outbox AS d WHERE NOT d.in_lane AND d.available_at <= now()
    ORDER BY d.available_at LIMIT most FOR UPDATE SKIP LOCKED) || ARRAY(
    SELECT d.ctid FROM messaging.outbox AS d WHERE d.in_lane
    ORDER BY d.job_queue, d.kind, d.lane, d.available_at LIMIT most FOR UPDATE SKIP LOCKED))
  RETURNING o.id, o.type, o.payload::text, o.queue, o.attempt, o.available_at;
END $$;
