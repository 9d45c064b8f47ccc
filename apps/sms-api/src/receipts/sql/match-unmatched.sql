-- Records at most `most` unmatched receipts whose part has been stored since, and deletes them from the unmatched receipts. Returns, for each
-- receipt, the seconds from the submit to the arrival of the receipt.
CREATE OR REPLACE FUNCTION sms.match_unmatched(most integer)
RETURNS TABLE (lag_seconds double precision)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  batch json;
BEGIN
  WITH found AS (
    SELECT k.id FROM sms.unmatched_receipts AS k
    WHERE (SELECT true FROM sms.parts AS p WHERE p.upstream_id = k.upstream_id AND p.carrier = k.carrier LIMIT 1)
    ORDER BY k.id LIMIT most FOR UPDATE SKIP LOCKED
  ), taken AS (
    DELETE FROM sms.unmatched_receipts AS k WHERE k.id = ANY (ARRAY(SELECT f.id FROM found AS f))
    RETURNING k.carrier, k.upstream_id, k.state, k.error_code, k.done_at, k.received_at
  )
  SELECT json_agg(t) INTO batch FROM taken AS t;
  IF batch IS NOT NULL THEN
    RETURN QUERY SELECT r.lag_seconds FROM sms.record_receipts(batch) AS r;
  END IF;
END $$;
