-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
CREATE OR REPLACE FUNCTION auth.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE auth.api_keys AS t SET
    previous_expires_at = t.previous_expires_at - by,
    expires_at = t.expires_at - by,
    revoked_at = t.revoked_at - by,
    created_at = t.created_at - by
  WHERE t.organization_id = organization;
$$;
