-- Deletes and returns due rows of the outbox. PostgreSQL may keep a plan from a time when the outbox was empty, so
-- sequential scans and sorts are disabled and every plan uses the index.
CREATE OR REPLACE FUNCTION messaging.take_due(most integer)
RETURNS TABLE (id uuid, type text, body text, queue text, attempt integer, available_at timestamptz)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_sort = off AS $$
BEGIN
  RETURN QUERY
  DELETE FROM messaging.outbox AS o WHERE o.ctid = ANY (ARRAY(
    SELECT d.ctid FROM messaging.outbox AS d WHERE d.available_at <= now()
    ORDER BY d.available_at LIMIT most FOR UPDATE SKIP LOCKED))
  RETURNING o.id, o.type, o.payload::text, o.queue, o.attempt, o.available_at;
END $$;
