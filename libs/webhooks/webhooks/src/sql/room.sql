-- The number of deliveries that may be leased for an endpoint; one while its circuit is probed.
CREATE OR REPLACE FUNCTION webhooks.room(
  endpoint uuid, organization uuid, open_until timestamptz, per_endpoint integer, per_organization integer, at timestamptz)
RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT greatest(0, least(per_organization - count(*),
    CASE WHEN open_until IS NULL THEN per_endpoint ELSE 1 END - count(*) FILTER (WHERE q.subscription_id = endpoint)))
  FROM webhooks.queue AS q WHERE q.organization_id = organization AND q.leased AND q.due_at > at
$$;
