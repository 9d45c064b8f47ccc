-- Sets messages that the provider has not accepted to 'failed', refunds their cost, and publishes the event. Messages whose outcome is known
-- do not change. The caller holds locks on the messages.
CREATE OR REPLACE FUNCTION chatapp.fail(failures chatapp.failure[])
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
  SELECT e.id, 'chatapp.failed', messaging.event(
    e.id, 'chatapp.failed', e.at, m.organization_id, m.workspace_id, m.correlation_id,
    json_build_object('messageId', m.id, 'chatappMessageId', NULL, 'to', m.recipient, 'error', m.error,
      'errorCode', m.error_code, 'refunded', m.was_charged, 'occurredAt', e.at))
  FROM moved AS m
  -- Refers to the row with left(…, 0), so that PostgreSQL makes an id for every row instead of one for all.
  CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id,
    messaging.rfc3339(now()) || left(m.recipient, 0) AS at) AS e;
END $$;
