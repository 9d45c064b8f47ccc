-- Deletes the unmatched statuses of at most `most` messages that are stored by now, and records them. Returns the
-- number of statuses. The messages are locked before their unmatched statuses, so two transactions cannot wait for each
-- other.
CREATE OR REPLACE FUNCTION chatapp.match_unmatched(most integer)
RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  known text[];
  batch json;
BEGIN
  SELECT array_agg(f.upstream_id) INTO known
  FROM (
    SELECT k.upstream_id FROM chatapp.unmatched_statuses AS k
    WHERE EXISTS (SELECT FROM chatapp.messages AS m
                  WHERE m.upstream_id = k.upstream_id AND m.direction = 'outbound' AND m.upstream_id IS NOT NULL)
    ORDER BY k.received_at LIMIT most) AS f;
  IF known IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM 1 FROM chatapp.messages AS m
  WHERE m.upstream_id = ANY (known) AND m.direction = 'outbound' AND m.upstream_id IS NOT NULL ORDER BY m.id FOR UPDATE;

  WITH taken AS (
    DELETE FROM chatapp.unmatched_statuses AS k WHERE k.upstream_id = ANY (known)
    RETURNING k.upstream_id, k.status, k.occurred_at, k.error, k.error_code
  )
  SELECT json_agg(t) INTO batch FROM taken AS t;
  IF batch IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM chatapp.record_statuses(batch);
  RETURN json_array_length(batch);
END $$;
