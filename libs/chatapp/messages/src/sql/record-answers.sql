-- Records the provider's answers to sends: its id, or the reason of the refusal; and the answer to store under the idempotency key where
-- `answer_status` is set (without it, the key is released). A status may arrive before the answer and set the outcome first: the
-- provider's id is returned.
CREATE OR REPLACE FUNCTION chatapp.record_answers(batch json)
RETURNS TABLE (ord integer, upstream_id text)
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  answers chatapp.answer[];
  ids uuid[];
  taken uuid[];
  upstream text[];
  unmatched json;
BEGIN
  SELECT array_agg(r), array_agg(r.id ORDER BY r.id), array_agg(r.upstream_id) FILTER (WHERE r.upstream_id IS NOT NULL)
  INTO answers, ids, upstream
  FROM json_populate_recordset(NULL::chatapp.answer, batch) AS r;
  PERFORM 1 FROM chatapp.messages AS m WHERE m.id = ANY (ids) ORDER BY m.id FOR UPDATE;

  INSERT INTO chatapp.number_aliases AS l (account_id, number, upstream_number)
  SELECT DISTINCT ON (m.account_id, m.recipient) m.account_id, m.recipient, r.upstream_number
  FROM unnest(answers) AS r
  JOIN chatapp.messages AS m ON m.id = r.id
  WHERE r.upstream_number <> m.recipient
  ORDER BY m.account_id, m.recipient
  ON CONFLICT (account_id, number) DO UPDATE SET upstream_number = excluded.upstream_number
    WHERE l.upstream_number <> excluded.upstream_number;

  -- The answer may arrive after settle_overdue has failed and refunded the message.
  PERFORM chatapp.prove((SELECT array_agg(r.id) FROM unnest(answers) AS r WHERE r.upstream_id IS NOT NULL));
  WITH moved AS (
    UPDATE chatapp.messages AS m SET upstream_id = r.upstream_id, is_presumed = false,
      status = CASE WHEN m.is_presumed THEN 'accepted' ELSE m.status END,
      failed_at = CASE WHEN NOT m.is_presumed THEN m.failed_at END,
      error = CASE WHEN NOT m.is_presumed THEN m.error END
    FROM unnest(answers) AS r
    WHERE m.id = r.id AND m.id = ANY (ids) AND r.upstream_id IS NOT NULL AND m.upstream_id IS NULL
    RETURNING m.id
  )
  SELECT array_agg(m.id) INTO taken FROM moved AS m;

  PERFORM chatapp.fail((
    SELECT array_agg(ROW(r.id, r.entry_id, r.error, r.error_code, r.is_presumed)::chatapp.failure ORDER BY r.id)
    FROM unnest(answers) AS r WHERE r.upstream_id IS NULL));

  PERFORM chatapp.reached(taken);

  IF upstream IS NOT NULL THEN
    WITH found AS (
      DELETE FROM chatapp.unmatched_statuses AS k WHERE k.upstream_id = ANY (upstream)
      RETURNING k.upstream_id, k.status, k.occurred_at, k.error, k.error_code
    )
    SELECT json_agg(f) INTO unmatched FROM found AS f;
    IF unmatched IS NOT NULL THEN
      PERFORM chatapp.record_statuses(unmatched);
    END IF;
  END IF;

  -- A refusal that a status has contradicted is not stored. After settle_overdue, the key may belong to another message,
  -- whose answer does not change.
  UPDATE idempotency.answers AS a SET status = r.answer_status, body = r.answer
  FROM unnest(answers) AS r
  WHERE a.caller_id = r.caller_id AND a.endpoint = r.endpoint AND a.key = r.idempotency_key
    AND a.body ->> 'pending' = r.id::text AND r.answer_status IS NOT NULL
    AND (r.upstream_id IS NOT NULL
         OR (SELECT m.upstream_id IS NULL FROM chatapp.messages AS m WHERE m.id = r.id));
  DELETE FROM idempotency.answers AS a USING unnest(answers) AS r
  WHERE a.caller_id = r.caller_id AND a.endpoint = r.endpoint AND a.key = r.idempotency_key
    AND a.body ->> 'pending' = r.id::text AND r.answer_status IS NULL
    AND (SELECT m.upstream_id IS NULL FROM chatapp.messages AS m WHERE m.id = r.id);

  RETURN QUERY SELECT r.ord, m.upstream_id FROM unnest(answers) AS r
    JOIN chatapp.messages AS m ON m.id = r.id AND m.id = ANY (ids);
END $$;
