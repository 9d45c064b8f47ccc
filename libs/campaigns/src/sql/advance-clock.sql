-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
CREATE OR REPLACE FUNCTION campaigns.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE campaigns.campaigns AS t SET
    scheduled_at = t.scheduled_at - by,
    due_at = t.due_at - by,
    created_at = t.created_at - by,
    started_at = t.started_at - by,
    finished_at = t.finished_at - by
  WHERE t.organization_id = organization;
$$;
