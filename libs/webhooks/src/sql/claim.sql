-- Leases endpoints with due deliveries to a worker, which makes all their deliveries until it releases them or the lease expires: an
-- endpoint is never served by two workers. First releases the endpoints `released` and, with `renews`, renews the leases of `held`: one
-- that is not returned belongs to another worker. Then leases `most` further endpoints: those that were claimed longest ago come first,
-- round-robin across organizations; an endpoint with an open circuit is not leased. The row locks do not
-- conflict with those of `webhooks.append`. An endpoint whose row somebody else has locked must not delay the others: it is not released, and
-- renewed only if the lock ends within 100 ms. Returns the renewed and the leased endpoints.
CREATE OR REPLACE FUNCTION webhooks.claim(
  worker uuid, held uuid[], renews boolean, released uuid[], most integer, lease_ms integer, at timestamptz)
RETURNS SETOF uuid
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  until CONSTANT timestamptz := at + lease_ms * interval '1 millisecond';
  renewed uuid[];
BEGIN
  IF cardinality(released) > 0 THEN
    UPDATE webhooks.subscriptions AS s SET leased_by = NULL, leased_until = NULL
    WHERE s.id = ANY (ARRAY(
      SELECT o.id FROM webhooks.subscriptions AS o
      WHERE o.id = ANY (released) AND o.leased_by = worker FOR NO KEY UPDATE SKIP LOCKED));
  END IF;
  IF renews THEN
    WITH ours AS (
      UPDATE webhooks.subscriptions AS s SET leased_until = until
      WHERE s.id = ANY (ARRAY(
        SELECT o.id FROM webhooks.subscriptions AS o
        WHERE o.id = ANY (held) AND o.leased_by = worker FOR NO KEY UPDATE SKIP LOCKED))
      RETURNING s.id)
    SELECT coalesce(array_agg(o.id), '{}') INTO renewed FROM ours AS o;
    BEGIN
      -- A worker may be recording attempts of the others.
      PERFORM set_config('lock_timeout', '100ms', true);
      WITH ours AS (
        UPDATE webhooks.subscriptions AS s SET leased_until = until
        WHERE s.id = ANY (held) AND s.id <> ALL (renewed) AND s.leased_by = worker
        RETURNING s.id)
      SELECT renewed || coalesce(array_agg(o.id), '{}') INTO renewed FROM ours AS o;
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
    RETURN QUERY SELECT unnest(renewed);
  END IF;
  RETURN QUERY
  WITH RECURSIVE waiting AS (
    (SELECT q.subscription_id AS id, q.due_at FROM webhooks.queue AS q ORDER BY q.subscription_id, q.due_at LIMIT 1)
    UNION ALL
    SELECT n.* FROM waiting AS w, LATERAL (
      SELECT q.subscription_id, q.due_at FROM webhooks.queue AS q WHERE q.subscription_id > w.id
      ORDER BY q.subscription_id, q.due_at LIMIT 1) AS n),
  ranked AS (
    SELECT s.id, s.claimed_at,
      row_number() OVER (PARTITION BY s.organization_id ORDER BY s.claimed_at NULLS FIRST) AS place
    FROM waiting AS w JOIN webhooks.subscriptions AS s ON s.id = w.id
    WHERE w.due_at <= at AND s.id <> ALL (held) AND webhooks.is_free(s, worker, at)),
  locked AS (
    SELECT s.id FROM ranked AS r JOIN webhooks.subscriptions AS s ON s.id = r.id
    WHERE webhooks.is_free(s, worker, at)
    ORDER BY r.place, r.claimed_at NULLS FIRST LIMIT most FOR NO KEY UPDATE OF s SKIP LOCKED)
  UPDATE webhooks.subscriptions AS s
  SET leased_by = worker, leased_until = until, claimed_at = at
  FROM locked AS l WHERE s.id = l.id
  RETURNING s.id;
END $$;
