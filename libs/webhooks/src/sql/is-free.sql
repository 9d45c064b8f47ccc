-- Whether a worker may lease an endpoint: no other worker has a lease, and its circuit is not open.
CREATE OR REPLACE FUNCTION webhooks.is_free(endpoint webhooks.subscriptions, worker uuid, at timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT (endpoint.leased_until IS NULL OR endpoint.leased_until <= at OR endpoint.leased_by = worker)
    AND (endpoint.open_until IS NULL OR endpoint.open_until <= at)
$$;
