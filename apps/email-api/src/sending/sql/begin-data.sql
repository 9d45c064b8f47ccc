-- Increments the number of copies that may have been sent. Called before the content is transmitted; only the content for the returned
-- recipients may be transmitted. The others are no longer in progress, or their campaign is paused or canceled.
CREATE OR REPLACE FUNCTION email.begin_data(batch json)
RETURNS TABLE (message_id uuid, "position" smallint) LANGUAGE sql SET jit = off SET enable_seqscan = off AS $$
  UPDATE email.recipients AS r SET copies = r.copies + 1
  FROM json_to_recordset(batch) AS b (message_id uuid, position smallint)
  WHERE r.message_id = b.message_id AND r.position = b.position AND r.state = 'sending'
    AND CASE WHEN r.campaign_id IS NULL THEN true ELSE NOT campaigns.is_stopped(r.campaign_id) END
  RETURNING r.message_id, r.position
$$;
