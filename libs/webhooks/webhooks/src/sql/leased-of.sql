-- The number of deliveries of an organization that are leased.
CREATE OR REPLACE FUNCTION webhooks.leased_of(organization uuid, at timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT count(*) FROM webhooks.queue AS q WHERE q.organization_id = organization AND q.leased AND q.due_at > at
$$;
