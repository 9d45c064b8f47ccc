-- Leases due deliveries to a worker: at most `per_endpoint` deliveries of an endpoint and `per_organization` of an
-- organization are leased at a time. Endpoints that were served longest ago come first. The row of the subscription
-- stays locked until the commit, so that two workers do not exceed the limit together. An expired lease is due again.
-- While a circuit is open, nothing is leased for its endpoint; afterwards, one delivery at a time probes the endpoint.
CREATE OR REPLACE FUNCTION webhooks.claim(
  most integer, per_endpoint integer, per_organization integer, lease_ms integer, at timestamptz)
RETURNS TABLE (delivery_id uuid, subscription_id uuid)
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  endpoints uuid[];
BEGIN
  -- Locks as many endpoints as needed, round-robin across organizations, among those below their limit.
  WITH RECURSIVE waiting AS (
    (SELECT q.subscription_id AS id, q.due_at FROM webhooks.queue AS q ORDER BY q.subscription_id, q.due_at LIMIT 1)
    UNION ALL
    SELECT n.* FROM waiting AS w, LATERAL (
      SELECT q.subscription_id, q.due_at FROM webhooks.queue AS q WHERE q.subscription_id > w.id
      ORDER BY q.subscription_id, q.due_at LIMIT 1) AS n),
  ranked AS (
    SELECT s.id, s.claimed_at, c.due,
      row_number() OVER (PARTITION BY s.organization_id ORDER BY s.claimed_at NULLS FIRST) AS place
    FROM waiting AS w JOIN webhooks.subscriptions AS s ON s.id = w.id
    CROSS JOIN LATERAL (
      SELECT count(*) AS due FROM (
        SELECT FROM webhooks.queue AS q WHERE q.subscription_id = s.id AND q.due_at <= at
        LIMIT webhooks.room(s.id, s.organization_id, s.open_until, per_endpoint, per_organization, at)) AS one) AS c
    WHERE w.due_at <= at AND (s.open_until IS NULL OR s.open_until <= at) AND c.due > 0),
  counted AS (
    SELECT r.id, r.place, r.claimed_at,
      sum(r.due) OVER (ORDER BY r.place, r.claimed_at NULLS FIRST ROWS UNBOUNDED PRECEDING) - r.due AS earlier
    FROM ranked AS r),
  locked AS (
    SELECT s.id, c.earlier FROM counted AS c JOIN webhooks.subscriptions AS s ON s.id = c.id
    WHERE c.earlier < most AND (s.open_until IS NULL OR s.open_until <= at)
    ORDER BY c.earlier FOR UPDATE OF s SKIP LOCKED)
  SELECT array_agg(l.id ORDER BY l.earlier) INTO endpoints FROM locked AS l;
  IF endpoints IS NULL THEN
    RETURN;
  END IF;

  -- A separate statement, so that it includes leases committed before the endpoints were locked.
  RETURN QUERY
  WITH due AS (
    SELECT d.delivery_id, e.turn, s.organization_id, row_number() OVER (PARTITION BY s.organization_id ORDER BY e.turn) AS nth
    FROM unnest(endpoints) WITH ORDINALITY AS e (id, turn) JOIN webhooks.subscriptions AS s ON s.id = e.id
    CROSS JOIN LATERAL (
      SELECT q.delivery_id FROM webhooks.queue AS q WHERE q.subscription_id = s.id AND q.due_at <= at
      ORDER BY q.due_at LIMIT webhooks.room(s.id, s.organization_id, s.open_until, per_endpoint, per_organization, at)) AS d),
  taken AS (
    UPDATE webhooks.queue AS q SET leased = true, due_at = at + lease_ms * interval '1 millisecond'
    WHERE q.due_at <= at AND q.delivery_id = ANY (ARRAY(
      SELECT d.delivery_id FROM due AS d
      WHERE d.nth <= per_organization - webhooks.leased_of(d.organization_id, at)
      ORDER BY d.turn LIMIT most))
    RETURNING q.delivery_id, q.subscription_id),
  marked AS (
    UPDATE webhooks.subscriptions AS s SET claimed_at = at
    WHERE s.id = ANY (ARRAY(SELECT DISTINCT t.subscription_id FROM taken AS t)))
  SELECT t.delivery_id, t.subscription_id FROM taken AS t;
END $$;
