-- Records attempts of different deliveries: the outcome in the log, the next attempt in the queue, the state of the circuit at the
-- subscription. The circuit opens after `opens_after` failures in a row, for the first of `pauses_seconds`, and after each further
-- failure for the next one. An attempt whose delivery has left the queue changes nothing, so that a repeated call is safe.
-- `subscription_ids` are those of all attempts, and `any_failed` tells whether one of the attempts has failed.
CREATE OR REPLACE FUNCTION webhooks.record(
  items json, subscription_ids uuid[], any_failed boolean, at timestamptz, opens_after integer, pauses_seconds integer[]) RETURNS void
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  -- Successes of healthy endpoints change no circuit.
  IF any_failed OR EXISTS (
    SELECT FROM webhooks.subscriptions AS s WHERE s.id = ANY (subscription_ids)
      AND (s.failures > 0 OR s.failures_in_row > 0 OR s.failing_since IS NOT NULL)) THEN
    -- `failures` counts failed deliveries since the last success, and `failures_in_row` failed attempts. A delivery is counted once: if its
    -- previous attempt was made at or after `failing_since`, it is in `failures` already. Rows are locked in the order of their ids to
    -- prevent deadlocks. Endpoints without failures are not updated.
    WITH given AS (
      SELECT q.subscription_id AS id, a.at, g.status <> 'delivered' AS has_failed,
        max(a.at) FILTER (WHERE g.status = 'delivered') OVER (PARTITION BY q.subscription_id) AS succeeded_at,
        CASE WHEN g.status <> 'delivered' THEN (
          SELECT (d.attempts -> -1 ->> 'at')::timestamptz FROM webhooks.deliveries AS d WHERE d.id = g."deliveryId") END AS tried_at
      FROM json_to_recordset(items) AS g ("deliveryId" uuid, status text, attempt json)
      JOIN webhooks.queue AS q ON q.delivery_id = g."deliveryId"
      CROSS JOIN LATERAL (SELECT (g.attempt ->> 'at')::timestamptz AS at) AS a),
    counted AS (
      SELECT g.*, g.has_failed AND g.at > coalesce(g.succeeded_at, '-infinity') AS is_failure FROM given AS g),
    outcomes AS (
      SELECT c.id, bool_or(c.succeeded_at IS NOT NULL) AS is_reset,
        count(*) FILTER (WHERE c.is_failure) AS failed,
        min(c.at) FILTER (WHERE c.is_failure) AS failing_since,
        array_agg(c.tried_at) FILTER (WHERE c.is_failure) AS tried_at
      FROM counted AS c GROUP BY c.id),
    locked AS (
      SELECT s.id,
        CASE WHEN o.is_reset THEN o.failed ELSE s.failures + (
          SELECT count(*) FROM unnest(o.tried_at) AS t (at) WHERE (t.at >= s.failing_since) IS NOT TRUE) END AS failures,
        CASE WHEN o.is_reset THEN 0 ELSE s.failures_in_row END + o.failed AS failures_in_row,
        CASE WHEN o.is_reset THEN o.failing_since ELSE least(s.failing_since, o.failing_since) END AS failing_since
      FROM outcomes AS o JOIN webhooks.subscriptions AS s USING (id)
      WHERE o.failed > 0 OR s.failures > 0 OR s.failures_in_row > 0 OR s.failing_since IS NOT NULL
      ORDER BY s.id FOR NO KEY UPDATE OF s)
    UPDATE webhooks.subscriptions AS s
    SET failures = l.failures, failures_in_row = l.failures_in_row, failing_since = l.failing_since,
      open_until = CASE WHEN l.failures_in_row >= opens_after
        THEN at + pauses_seconds[least(cardinality(pauses_seconds), l.failures_in_row - opens_after + 1)] * interval '1 second' END
    FROM locked AS l WHERE s.id = l.id;
  END IF;

  WITH given AS (
    SELECT g."deliveryId" AS id, (g.attempt ->> 'at')::timestamptz AS at, g.status, g."nextAttemptAt" AS next_at, g.attempt
    FROM json_to_recordset(items) AS g ("deliveryId" uuid, status text, "nextAttemptAt" timestamptz, attempt jsonb)),
  ended AS (
    DELETE FROM webhooks.queue AS q USING given AS g WHERE q.delivery_id = g.id AND g.next_at IS NULL RETURNING g.*, q.subscription_id),
  postponed AS (
    UPDATE webhooks.queue AS q SET due_at = g.next_at, tried = q.tried + 1, first_tried_at = coalesce(q.first_tried_at, g.at)
    FROM given AS g WHERE q.delivery_id = g.id AND g.next_at IS NOT NULL
    RETURNING g.*, q.subscription_id)
  UPDATE webhooks.deliveries AS d SET status = g.status, next_attempt_at = g.next_at, tried = d.tried + 1,
    first_tried_at = coalesce(d.first_tried_at, g.at),
    attempts = CASE WHEN jsonb_array_length(d.attempts) < 20 THEN d.attempts ELSE d.attempts - 5 END || g.attempt
  FROM (SELECT e.* FROM ended AS e UNION ALL SELECT p.* FROM postponed AS p) AS g
  WHERE d.id = g.id AND d.subscription_id = g.subscription_id;
END $$;
