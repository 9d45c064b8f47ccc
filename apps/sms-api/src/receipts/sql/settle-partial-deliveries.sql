-- Delivers at most `most` messages of several parts for which the last receipt arrived more than `quiet_seconds` ago, if some parts are
-- delivered and none failed. Some carriers send one receipt for the whole message. Returns the number of the examined messages.
CREATE OR REPLACE FUNCTION sms.settle_partial_deliveries(most integer, quiet_seconds integer) RETURNS integer
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  due sms.partial_deliveries[];
  batch json;
BEGIN
  WITH found AS (
    SELECT d.message_id FROM sms.partial_deliveries AS d
    WHERE d.received_at < now() - quiet_seconds * interval '1 second'
    ORDER BY d.received_at LIMIT most FOR UPDATE SKIP LOCKED
  ), taken AS (
    DELETE FROM sms.partial_deliveries AS d WHERE d.message_id = ANY (ARRAY(SELECT f.message_id FROM found AS f))
    RETURNING d
  )
  SELECT array_agg(t.d) INTO due FROM taken AS t;
  SELECT json_agg(json_build_object('carrier', p.carrier, 'upstream_id', p.upstream_id, 'message_id', p.message_id,
    'state', 'delivered', 'done_at', d.done_at, 'received_at', d.received_at))
  INTO batch
  FROM unnest(due) AS d
  JOIN sms.parts AS p ON p.message_id = d.message_id
  WHERE p.parts > 1 AND p.state IS NULL;
  IF batch IS NOT NULL THEN
    PERFORM 1 FROM sms.record_receipts(batch);
  END IF;
  RETURN coalesce(cardinality(due), 0);
END $$;
