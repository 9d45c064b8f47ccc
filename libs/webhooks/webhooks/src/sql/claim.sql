-- Leases due deliveries to a worker: at most `per_endpoint` deliveries of an endpoint and `per_organization` of an
-- organization are leased at a time. Endpoints that were served longest ago come first. The row of the subscription stays
-- locked until the commit, so that two workers do not exceed the limit together. An expired lease is due again. An open
-- circuit admits nothing; after its time, one delivery at a time probes the endpoint.
CREATE OR REPLACE FUNCTION webhooks.claim(
  most integer, per_endpoint integer, per_organization integer, lease_ms integer, at timestamptz)
RETURNS TABLE (delivery_id uuid, subscription_id uuid)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  endpoint record;
  room integer;
  taken integer;
  remaining integer := most;
BEGIN
  FOR endpoint IN
    WITH RECURSIVE waiting AS (
      (SELECT q.subscription_id AS id, q.due_at FROM webhooks.queue AS q ORDER BY q.subscription_id, q.due_at LIMIT 1)
      UNION ALL
      SELECT n.* FROM waiting AS w, LATERAL (
        SELECT q.subscription_id, q.due_at FROM webhooks.queue AS q WHERE q.subscription_id > w.id
        ORDER BY q.subscription_id, q.due_at LIMIT 1) AS n),
    ranked AS (
      SELECT s.id, s.claimed_at, row_number() OVER (PARTITION BY s.organization_id ORDER BY s.claimed_at NULLS FIRST) AS place
      FROM waiting AS w JOIN webhooks.subscriptions AS s ON s.id = w.id
      WHERE w.due_at <= at AND (s.open_until IS NULL OR s.open_until <= at))
    SELECT s.id, s.organization_id, s.failures_in_row, s.open_until
    FROM ranked AS r JOIN webhooks.subscriptions AS s ON s.id = r.id
    WHERE s.open_until IS NULL OR s.open_until <= at
    ORDER BY r.place, r.claimed_at NULLS FIRST LIMIT most FOR UPDATE OF s SKIP LOCKED
  LOOP
    EXIT WHEN remaining <= 0;
    SELECT (least(per_organization - (SELECT count(*) FROM webhooks.queue AS q
        WHERE q.organization_id = endpoint.organization_id AND q.leased AND q.due_at > at),
      CASE WHEN endpoint.open_until IS NULL THEN per_endpoint ELSE 1 END - (SELECT count(*) FROM webhooks.queue AS q
        WHERE q.subscription_id = endpoint.id AND q.leased AND q.due_at > at), remaining))::int
    INTO room;
    CONTINUE WHEN room <= 0;
    RETURN QUERY
    UPDATE webhooks.queue AS q SET leased = true, due_at = at + lease_ms * interval '1 millisecond'
    WHERE q.delivery_id = ANY (ARRAY(
      SELECT d.delivery_id FROM webhooks.queue AS d WHERE d.subscription_id = endpoint.id AND d.due_at <= at
      ORDER BY d.due_at LIMIT room FOR UPDATE SKIP LOCKED))
    RETURNING q.delivery_id, q.subscription_id;
    GET DIAGNOSTICS taken = ROW_COUNT;
    remaining := remaining - taken;
    UPDATE webhooks.subscriptions AS s SET claimed_at = at WHERE s.id = endpoint.id AND taken > 0;
  END LOOP;
END $$;
