-- Publishes requests of erasures again that services have not finished for `older_than`; see messaging.publish_again. Each service has
-- its own queue.
CREATE OR REPLACE FUNCTION persons.requeue(from_at timestamptz, older_than interval, started timestamptz, most integer)
RETURNS TABLE (requeued integer, next_at timestamptz, hold_at timestamptz, oldest_at timestamptz)
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  jobs json;
BEGIN
  WITH chosen AS (
    SELECT e.id, e.organization_id, e.requested_at, s.service FROM persons.erasures AS e CROSS JOIN unnest(e.pending) AS s (service)
    WHERE e.finished_at IS NULL AND e.requested_at >= least(from_at, now() - interval '30 days')
      AND e.requested_at <= now() - older_than
    ORDER BY e.requested_at LIMIT 5 * most)
  SELECT (SELECT min(e.requested_at) FROM persons.erasures AS e WHERE e.finished_at IS NULL), (
    SELECT json_agg(json_build_object(
      'id', c.id || ' ' || c.service, 'due_at', c.requested_at, 'organization_id', c.organization_id,
      'queue', c.service || '.erasure',
      'event', messaging.event(
        gen_random_uuid(), 'person.erasure.requested', messaging.rfc3339(c.requested_at), c.organization_id, NULL, NULL,
        json_build_object('erasureId', c.id)))) FROM chosen AS c)
  INTO oldest_at, jobs;
  hold_at := oldest_at;
  next_at := NULL;
  requeued := CASE WHEN jobs IS NULL THEN 0
    ELSE messaging.publish_again('erasures', 'person.erasure.requested', 'erasureId', older_than, started, most, jobs) END;
  RETURN NEXT;
END $$;
