-- Fails with `reason` and refunds at most `most` messages whose answer is overdue because their process crashed.
CREATE OR REPLACE FUNCTION chatapp.settle_overdue(after_ms integer, most integer, reason text)
RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  overdue chatapp.failure[];
BEGIN
  SELECT array_agg(ROW(m.id, gen_random_uuid(), reason, NULL, true)::chatapp.failure ORDER BY m.id)
  INTO overdue
  FROM (
    SELECT m.id FROM chatapp.messages AS m
    WHERE m.direction = 'outbound' AND m.status = 'accepted' AND m.upstream_id IS NULL
      AND m.created_at < now() - after_ms * interval '1 millisecond'
    ORDER BY m.id LIMIT most FOR UPDATE SKIP LOCKED) AS m;
  PERFORM chatapp.fail(overdue);
  RETURN coalesce(cardinality(overdue), 0);
END $$;
