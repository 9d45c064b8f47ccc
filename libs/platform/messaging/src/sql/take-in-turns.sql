-- Deletes and returns `most` due events of the outbox, for calls while more than these are due. The organizations take turns: a call begins
-- with the organization that follows `after`, and takes the same number of events from each, oldest first. If some organizations have fewer
-- events, the rest of the batch are the oldest events of all (`take_events`). Jobs that have become due enter their lane, as in `take_events`.
-- Each row contains `served`, the organization that was examined last: the `after` of the next call. Organizations are found by jumps in the
-- index. An organization without due events costs a jump too, so a call makes at most `most` jumps. Plans must not depend on the size that the table had when it was analyzed.
CREATE OR REPLACE FUNCTION messaging.take_in_turns(most integer, after bigint)
RETURNS TABLE (id uuid, type text, body text, queue text, attempt integer, available_at timestamptz, served bigint)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_sort = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  organizations bigint[] := ARRAY[]::bigint[];
  organization bigint := after;
  last_served bigint := after;
  oldest_at timestamptz;
  oldest timestamptz[] := ARRAY[]::timestamptz[];
  has_wrapped boolean := (after IS NULL);
  jumps integer := 0;
  share integer;
  taken integer;
  remaining integer := most;
  events tid[];
  jobs tid[];
BEGIN
  WHILE cardinality(organizations) < most AND jumps < most LOOP
    jumps := jumps + 1;
    IF organization IS NULL THEN
      SELECT o.organization_hash, o.available_at INTO organization, oldest_at FROM messaging.outbox AS o
      WHERE NOT o.in_lane ORDER BY o.organization_hash, o.available_at LIMIT 1;
    ELSE
      SELECT o.organization_hash, o.available_at INTO organization, oldest_at FROM messaging.outbox AS o
      WHERE NOT o.in_lane AND o.organization_hash > organization ORDER BY o.organization_hash, o.available_at LIMIT 1;
    END IF;
    IF organization IS NULL THEN
      EXIT WHEN has_wrapped;
      has_wrapped := true;
      CONTINUE;
    END IF;
    EXIT WHEN has_wrapped AND after IS NOT NULL AND organization > after;
    last_served := organization;
    IF oldest_at <= now() THEN
      organizations := organizations || organization;
      oldest := oldest || oldest_at;
    END IF;
  END LOOP;

  IF cardinality(organizations) > 0 THEN
    share := greatest(1, most / cardinality(organizations));
    SELECT array_agg(d.ctid) FILTER (WHERE d.job_queue IS NULL), array_agg(d.ctid) FILTER (WHERE d.job_queue IS NOT NULL)
    INTO events, jobs FROM unnest(organizations, oldest) AS u (organization_hash, oldest_at)
    CROSS JOIN LATERAL (
      SELECT o.ctid, o.job_queue FROM messaging.outbox AS o
      -- From the first visible row on: deleted ones remain in the index until it is vacuumed.
      WHERE NOT o.in_lane AND o.organization_hash = u.organization_hash AND o.available_at BETWEEN u.oldest_at AND now()
      ORDER BY o.organization_hash, o.available_at LIMIT share FOR UPDATE SKIP LOCKED) AS d;
  END IF;
  IF events IS NOT NULL THEN
    RETURN QUERY
    DELETE FROM messaging.outbox AS o WHERE o.ctid = ANY (events)
    RETURNING o.id, o.type, o.payload::text, o.queue, o.attempt, o.available_at, last_served;
    GET DIAGNOSTICS taken = ROW_COUNT;
    remaining := remaining - taken;
  END IF;
  IF jobs IS NOT NULL THEN
    RETURN QUERY
    UPDATE messaging.outbox AS o SET in_lane = true WHERE o.ctid = ANY (jobs)
    RETURNING o.id, o.type, NULL::text, o.queue, o.attempt, o.available_at, last_served;
    GET DIAGNOSTICS taken = ROW_COUNT;
    remaining := remaining - taken;
  END IF;
  IF remaining > 0 THEN
    RETURN QUERY
    SELECT t.id, t.type, t.body, t.queue, t.attempt, t.available_at, last_served FROM messaging.take_events(remaining) AS t;
  END IF;
END $$;
