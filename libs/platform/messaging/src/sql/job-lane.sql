-- The lane of an organization. Jobs of no organization share a lane.
CREATE OR REPLACE FUNCTION messaging.job_lane(organization_id uuid) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(organization_id, '00000000-0000-0000-0000-000000000000'::uuid)
$$;
