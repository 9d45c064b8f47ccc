-- Publishes events of the payment processor again that are not settled for `older_than`; see messaging.publish_again.
CREATE OR REPLACE FUNCTION billing.requeue_events(from_at timestamptz, older_than interval, started timestamptz, most integer)
RETURNS TABLE (requeued integer, next_at timestamptz, hold_at timestamptz, oldest_at timestamptz)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  jobs json;
BEGIN
  WITH chosen AS (
    SELECT e.id, e.type, e.received_at, e.correlation_id FROM billing.events AS e
    WHERE e.settled_at IS NULL AND e.received_at >= least(from_at, now() - interval '30 days') AND e.received_at <= now() - older_than
    ORDER BY e.arrival LIMIT 5 * most)
  SELECT (SELECT min(e.received_at) FROM billing.events AS e WHERE e.settled_at IS NULL), (
    SELECT json_agg(json_build_object(
      'id', c.id, 'due_at', c.received_at, 'organization_id', NULL, 'queue', 'billing-hook.events',
      'event', messaging.event(
        gen_random_uuid(), 'billing.event.received', messaging.rfc3339(c.received_at), NULL, NULL, c.correlation_id,
        json_build_object('eventId', c.id, 'eventType', c.type)))) FROM chosen AS c)
  INTO oldest_at, jobs;
  hold_at := oldest_at;
  next_at := NULL;
  requeued := CASE WHEN jobs IS NULL THEN 0
    ELSE messaging.publish_again('payments', 'billing.event.received', 'eventId', older_than, started, most, jobs) END;
  RETURN NEXT;
END $$;
