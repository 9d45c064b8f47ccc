-- Leases endpoints with due deliveries to a worker, which makes all their deliveries until it releases them or the lease expires: an
-- endpoint is never served by two workers. First releases the endpoints `released` and, with `renews`, renews the leases of `held`: one
-- that is not returned belongs to another worker. Then leases `most` further endpoints: those that were claimed longest ago come first,
-- round-robin across organizations; an endpoint with an open circuit is not leased. The row locks do not
-- conflict with those of `webhooks.append`. Returns the renewed and the leased endpoints.
CREATE OR REPLACE FUNCTION webhooks.claim(
  worker uuid, held uuid[], renews boolean, released uuid[], most integer, lease_ms integer, at timestamptz)
RETURNS SETOF uuid
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF cardinality(released) > 0 THEN
    UPDATE webhooks.subscriptions AS s SET leased_by = NULL, leased_until = NULL
    WHERE s.id = ANY (released) AND s.leased_by = worker;
  END IF;
  IF renews THEN
    RETURN QUERY
    UPDATE webhooks.subscriptions AS s SET leased_until = at + lease_ms * interval '1 millisecond'
    WHERE s.id = ANY (held) AND s.leased_by = worker
    RETURNING s.id;
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
  SET leased_by = worker, leased_until = at + lease_ms * interval '1 millisecond', claimed_at = at
  FROM locked AS l WHERE s.id = l.id
  RETURNING s.id;
END $$;
