-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
-- Jobs in lanes are due already.
CREATE OR REPLACE FUNCTION messaging.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE messaging.outbox AS t SET
    available_at = t.available_at - by
  WHERE NOT t.in_lane AND t.organization_hash = hashtextextended(organization::text, 0)
    AND coalesce(t.lane::text, t.payload ->> 'organizationId') = organization::text;
$$;
