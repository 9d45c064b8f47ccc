-- Deletes and returns up to `most` jobs of a queue, in the order in which they are to be published. The kinds share `most` by their
-- weights, and the lanes of a kind (one for each organization) share its part equally; what one cannot use goes to the others.
-- `credits` are the shares that the kinds have not received yet, so that a part below one job is not lost. `cursors` are the
-- lanes that were served last. Lanes are found by jumps in the index, so the costs depend on the number of lanes and of taken jobs, and not on
-- the number of waiting ones. The caller holds the lock of the row of the queue in `job_queues`, where `new_flow` is stored; `fills`: `most`
-- jobs fill the window of the queue.
CREATE OR REPLACE FUNCTION messaging.take_jobs(of_queue text, most integer, weights integer[], new_flow json, fills boolean)
RETURNS TABLE (
  id uuid, type text, body text, queue text, attempt integer, available_at timestamptz, job_queue text, kind smallint, lane uuid)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  kinds CONSTANT integer := cardinality(weights);
  state messaging.job_queues;
  active boolean[] := array_fill(false, ARRAY[kinds]);
  shares integer[];
  total integer;
  remaining integer := most;
  spare integer;
  chosen integer;
  lanes uuid[];
  found_lane uuid;
  position uuid;
  is_wrapped boolean;
  each integer;
  wanted integer;
  served uuid;
  taken_jobs integer;
BEGIN
  SELECT q.* INTO STRICT state FROM messaging.job_queues AS q WHERE q.queue = of_queue;
  FOR k IN 1..kinds LOOP
    active[k] := EXISTS (SELECT FROM messaging.outbox AS o WHERE o.in_lane AND o.job_queue = of_queue AND o.kind = k);
    IF NOT active[k] THEN state.credits[k] := 0; END IF;
  END LOOP;

  LOOP
    total := 0;
    FOR k IN 1..kinds LOOP
      IF active[k] THEN total := total + weights[k]; END IF;
    END LOOP;
    EXIT WHEN total = 0 OR remaining <= 0;

    shares := array_fill(0, ARRAY[kinds]);
    spare := remaining;
    FOR k IN 1..kinds LOOP
      CONTINUE WHEN NOT active[k];
      state.credits[k] := state.credits[k] + remaining::double precision * weights[k] / total;
      shares[k] := least(spare, greatest(0, floor(state.credits[k])::integer));
      spare := spare - shares[k];
    END LOOP;
    WHILE spare > 0 LOOP
      chosen := NULL;
      FOR k IN 1..kinds LOOP
        IF active[k] AND (chosen IS NULL OR state.credits[k] - shares[k] > state.credits[chosen] - shares[chosen]) THEN chosen := k; END IF;
      END LOOP;
      shares[chosen] := shares[chosen] + 1;
      spare := spare - 1;
    END LOOP;

    FOR k IN 1..kinds LOOP
      wanted := shares[k];
      CONTINUE WHEN wanted = 0;
      lanes := '{}';
      position := state.cursors[k];
      is_wrapped := position IS NULL;
      WHILE cardinality(lanes) < wanted LOOP
        IF position IS NULL THEN
          SELECT o.lane INTO found_lane FROM messaging.outbox AS o
          WHERE o.in_lane AND o.job_queue = of_queue AND o.kind = k ORDER BY o.lane LIMIT 1;
        ELSE
          SELECT o.lane INTO found_lane FROM messaging.outbox AS o
          WHERE o.in_lane AND o.job_queue = of_queue AND o.kind = k AND o.lane > position ORDER BY o.lane LIMIT 1;
        END IF;
        position := found_lane;
        IF is_wrapped THEN
          EXIT WHEN position IS NULL OR position > state.cursors[k];
        ELSIF position IS NULL THEN
          is_wrapped := true;
          CONTINUE;
        END IF;
        lanes := lanes || position;
      END LOOP;

      -- Each pass gives the same number of jobs to each lane that still has some. The lanes are sorted, from the one after `served` on.
      served := state.cursors[k];
      WHILE wanted > 0 AND cardinality(lanes) > 0 LOOP
        each := greatest(1, wanted / cardinality(lanes));
        RETURN QUERY
        WITH taken AS (
          DELETE FROM messaging.outbox AS o WHERE o.ctid = ANY (ARRAY(
            SELECT w.ctid FROM unnest(lanes[1:wanted]) AS l (lane)
            CROSS JOIN LATERAL (
              SELECT d.ctid FROM messaging.outbox AS d
              WHERE d.in_lane AND d.job_queue = of_queue AND d.kind = k AND d.lane = l.lane
              ORDER BY d.available_at LIMIT each FOR UPDATE SKIP LOCKED) AS w))
          RETURNING o.id, o.type, o.payload, o.queue, o.attempt, o.available_at, o.job_queue, o.kind, o.lane)
        SELECT t.id, t.type, t.payload::text, t.queue, t.attempt, t.available_at, t.job_queue, t.kind, t.lane FROM taken AS t
        ORDER BY row_number() OVER (PARTITION BY t.lane ORDER BY t.available_at, t.id), t.lane <= served, t.lane;
        GET DIAGNOSTICS taken_jobs = ROW_COUNT;
        EXIT WHEN taken_jobs = 0;
        state.cursors[k] := lanes[least(wanted, cardinality(lanes))];
        state.credits[k] := state.credits[k] - taken_jobs;
        remaining := remaining - taken_jobs;
        wanted := wanted - taken_jobs;
        EXIT WHEN wanted = 0;
        SELECT coalesce(array_agg(l.lane ORDER BY l.place), '{}') INTO lanes FROM unnest(lanes) WITH ORDINALITY AS l (lane, place)
        CROSS JOIN LATERAL (
          SELECT FROM messaging.outbox AS o
          WHERE o.in_lane AND o.job_queue = of_queue AND o.kind = k AND o.lane = l.lane LIMIT 1) AS waiting;
      END LOOP;
      IF wanted > 0 THEN
        active[k] := false;
        state.credits[k] := 0;
      END IF;
    END LOOP;
  END LOOP;

  UPDATE messaging.job_queues AS q SET credits = state.credits, cursors = state.cursors, published = q.published + most - remaining,
    flow = new_flow, was_full = fills AND remaining <= 0
  WHERE q.queue = of_queue;
END $$;
