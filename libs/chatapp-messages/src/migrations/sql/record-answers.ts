/** Names are those of `AnswerRow`. */
export const ANSWER_TYPE = `
CREATE TYPE chatapp.answer AS (
  ord integer,
  id uuid,
  entry_id uuid,
  upstream_id text,
  upstream_number text,
  error text,
  error_code integer,
  is_presumed boolean,
  caller_id uuid,
  endpoint text,
  idempotency_key text,
  answer_status smallint,
  answer json
)`;

export const FAILURE_TYPE = `
CREATE TYPE chatapp.failure AS (id uuid, entry_id uuid, error text, error_code integer, is_presumed boolean)`;

/**
 * Fails messages that the platform has not taken, gives back what they cost, and tells of it. Those whose fate is known
 * already stay as they are. The messages are locked by the caller.
 */
export const FAIL = `
CREATE FUNCTION chatapp.fail(failures chatapp.failure[])
RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  refunds credits.entry[];
  item record;
  failed uuid[];
BEGIN
  IF failures IS NULL THEN
    RETURN;
  END IF;
  SELECT array_agg(m.id ORDER BY m.id),
    array_agg(ROW((f.ord - 1)::integer, f.entry_id, m.organization_id, m.workspace_id, 'chatapp', 'refund', m.price,
                  'chatapp:' || m.id, m.correlation_id)::credits.entry) FILTER (WHERE m.is_charged)
  INTO failed, refunds
  FROM unnest(failures) WITH ORDINALITY AS f (id, entry_id, error, error_code, is_presumed, ord)
  JOIN chatapp.messages AS m ON m.id = f.id
  WHERE m.direction = 'outbound' AND m.status = 'accepted' AND m.upstream_id IS NULL;
  IF failed IS NULL THEN
    RETURN;
  END IF;

  FOR item IN
    SELECT m.workspace_id, m.category, m.allowance_month AS month, count(*) AS many FROM chatapp.messages AS m
    WHERE m.id = ANY (failed) AND m.allowance_month IS NOT NULL
    GROUP BY m.workspace_id, m.category, m.allowance_month ORDER BY m.workspace_id, m.category, m.allowance_month
  LOOP
    UPDATE chatapp.allowance_uses AS u SET used = greatest(u.used - item.many, 0)
    WHERE u.workspace_id = item.workspace_id AND u.category = item.category AND u.month = item.month;
  END LOOP;

  PERFORM FROM credits.post(refunds);

  WITH moved AS (
    UPDATE chatapp.messages AS m SET status = 'failed', error = f.error, error_code = f.error_code, failed_at = now(),
      is_presumed = f.is_presumed, is_charged = false
    FROM unnest(failures) AS f, chatapp.messages AS o
    WHERE m.id = f.id AND m.id = ANY (failed) AND o.id = m.id
    RETURNING m.id, m.organization_id, m.workspace_id, m.correlation_id, m.recipient, m.error, m.error_code,
      o.is_charged AS was_charged
  )
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT e.id, 'chatapp.failed', json_build_object(
    'id', e.id, 'type', 'chatapp.failed', 'version', 1, 'time', e.at,
    'organizationId', m.organization_id, 'workspaceId', m.workspace_id, 'correlationId', m.correlation_id,
    'data', json_build_object('messageId', m.id, 'chatappMessageId', NULL, 'to', m.recipient, 'error', m.error,
      'errorCode', m.error_code, 'refunded', m.was_charged, 'occurredAt', e.at))
  FROM moved AS m
  CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id,
    to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || left(m.recipient, 0) AS at) AS e;
END $$`;

/**
 * Records what the platform answered to sends: its id, or the reason why it took none; and with it the answer that a
 * repeat under the same idempotency key gets, where `answer_status` names one (without: the key is free again). A
 * status may have overtaken the answer and then says what became of the message: the platform's id is answered.
 */
export const RECORD_ANSWERS = `
CREATE FUNCTION chatapp.record_answers(batch json)
RETURNS TABLE (ord integer, upstream_id text)
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  answers chatapp.answer[];
  ids uuid[];
  taken uuid[];
  upstream text[];
  parked json;
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

  -- Later than anybody would wait: it had been given up.
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
      DELETE FROM chatapp.parked_statuses AS k WHERE k.upstream_id = ANY (upstream)
      RETURNING k.upstream_id, k.status, k.occurred_at, k.error, k.error_code
    )
    SELECT json_agg(f) INTO parked FROM found AS f;
    IF parked IS NOT NULL THEN
      PERFORM chatapp.record_statuses(parked);
    END IF;
  END IF;

  -- Only what is known to be so is remembered: a refusal that a status has contradicted is not. An answer that comes
  -- when its message was given up already may find another message under its key, and leaves that alone.
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
END $$`;

/** Fails and refunds what has waited for an answer for too long, at most \`most\`: its process is gone. */
export const SETTLE_OVERDUE = `
CREATE FUNCTION chatapp.settle_overdue(after_ms integer, most integer)
RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  overdue chatapp.failure[];
BEGIN
  SELECT array_agg(ROW(m.id, gen_random_uuid(), 'The platform never answered', NULL, true)::chatapp.failure ORDER BY m.id)
  INTO overdue
  FROM (
    SELECT m.id FROM chatapp.messages AS m
    WHERE m.direction = 'outbound' AND m.status = 'accepted' AND m.upstream_id IS NULL
      AND m.created_at < now() - after_ms * interval '1 millisecond'
    ORDER BY m.id LIMIT most FOR UPDATE SKIP LOCKED) AS m;
  PERFORM chatapp.fail(overdue);
  RETURN coalesce(cardinality(overdue), 0);
END $$`;
