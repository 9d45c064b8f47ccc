-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
CREATE OR REPLACE FUNCTION chatapp.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE chatapp.consents AS t SET
    keyword_at = t.keyword_at - by,
    created_at = t.created_at - by,
    updated_at = t.updated_at - by
  WHERE t.organization_id = organization;
  UPDATE chatapp.media AS t SET
    created_at = t.created_at - by
  WHERE t.organization_id = organization;
  UPDATE chatapp.messages AS t SET
    created_at = t.created_at - by,
    sent_at = t.sent_at - by,
    delivered_at = t.delivered_at - by,
    read_at = t.read_at - by,
    failed_at = t.failed_at - by,
    occurred_at = t.occurred_at - by
  WHERE t.organization_id = organization;
  UPDATE chatapp.numbers AS t SET
    last_inbound_at = t.last_inbound_at - by,
    last_outbound_at = t.last_outbound_at - by
  WHERE t.organization_id = organization;
$$;
