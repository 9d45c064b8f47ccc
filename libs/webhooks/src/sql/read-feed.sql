-- One page of the events of an organization, sorted by sequence: those after `after` (null: from the oldest one) whose type matches and
-- that belong to `workspace` (null: to any). Examines at most `max_examined` events and returns at most `max_events`, of `max_bytes` bytes
-- in total unless the first one alone is larger. Reads the body only of events that it returns, and of the first one that does not fit.
-- `next` is the sequence of the last examined event, and `has_more` tells whether later events are stored.
CREATE OR REPLACE FUNCTION webhooks.read_feed(
  organization uuid, after bigint, types text[], workspace uuid, max_events integer, max_examined integer, max_bytes integer,
  OUT next bigint, OUT has_more boolean, OUT bodies text[])
LANGUAGE plpgsql STABLE SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  examined integer := 0;
  bytes integer := 0;
  body text;
  event record;
BEGIN
  next := after;
  has_more := false;
  bodies := ARRAY[]::text[];
  FOR event IN
    SELECT e.sequence, e.body, webhooks.matches(types, e.type) AND (workspace IS NULL OR e.workspace_id = workspace) AS is_match
    FROM webhooks.events AS e
    WHERE e.organization_id = organization AND e.sequence > coalesce(after, 0)
    ORDER BY e.sequence LIMIT max_examined + 1
  LOOP
    IF examined = max_examined OR cardinality(bodies) = max_events THEN
      has_more := true;
      EXIT;
    END IF;
    IF event.is_match THEN
      body := event.body::text;
      bytes := bytes + octet_length(body);
      IF bytes > max_bytes AND cardinality(bodies) > 0 THEN
        has_more := true;
        EXIT;
      END IF;
      bodies := bodies || body;
    END IF;
    examined := examined + 1;
    next := event.sequence;
  END LOOP;
END $$;
