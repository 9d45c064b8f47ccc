-- Deletes and returns waiting events of a queue. The organizations with waiting events take turns: a call begins with the one
-- that follows `after`, and returns the same number of events from each, oldest first, `most` in all. Organizations in `held` are skipped.
-- Events of transactions that are still open belong to other consumers. Plans must not depend on the size that the table had
-- when it was analyzed.
CREATE OR REPLACE FUNCTION messaging.take_stored(of_queue text, after uuid, most integer, held uuid[])
RETURNS TABLE (id bigint, organization_id uuid, payload json, attempt integer, stored_at timestamptz)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_sort = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  lanes uuid[] := ARRAY[]::uuid[];
  lane uuid := after;
  share integer;
  has_wrapped boolean := (after IS NULL);
BEGIN
  WHILE cardinality(lanes) < most LOOP
    IF lane IS NULL THEN
      lane := (SELECT e.organization_id FROM messaging.stored_events AS e WHERE e.queue = of_queue
        ORDER BY e.queue, e.organization_id LIMIT 1);
    ELSE
      lane := (SELECT e.organization_id FROM messaging.stored_events AS e WHERE e.queue = of_queue AND e.organization_id > lane
        ORDER BY e.queue, e.organization_id LIMIT 1);
    END IF;
    IF lane IS NULL THEN
      EXIT WHEN has_wrapped;
      has_wrapped := true;
      CONTINUE;
    END IF;
    EXIT WHEN has_wrapped AND after IS NOT NULL AND lane > after;
    IF lane <> ALL (held) THEN
      lanes := lanes || lane;
    END IF;
  END LOOP;
  IF cardinality(lanes) = 0 THEN
    RETURN;
  END IF;
  share := (most + cardinality(lanes) - 1) / cardinality(lanes);
  RETURN QUERY
  DELETE FROM messaging.stored_events AS e WHERE e.ctid = ANY (ARRAY(
    SELECT d.ctid FROM unnest(lanes) AS l (organization_id)
    CROSS JOIN LATERAL (
      SELECT s.ctid FROM messaging.stored_events AS s
      WHERE s.queue = of_queue AND s.organization_id = l.organization_id
      ORDER BY s.queue, s.organization_id, s.id
      LIMIT share FOR UPDATE SKIP LOCKED) AS d))
  RETURNING e.id, e.organization_id, e.payload, e.attempt, e.stored_at;
END $$;
