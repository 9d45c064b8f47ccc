-- Called by processes of the previous release, which do not know `email.begin_data`. Increments the number of copies that may have been sent. Called before the content is transmitted.
CREATE OR REPLACE FUNCTION email.mark_data(batch json)
RETURNS void LANGUAGE sql SET jit = off SET enable_seqscan = off AS $$
  UPDATE email.recipients AS r SET copies = r.copies + 1
  FROM json_to_recordset(batch) AS b (message_id uuid, position smallint)
  WHERE r.message_id = b.message_id AND r.position = b.position AND r.state = 'sending'
$$;
