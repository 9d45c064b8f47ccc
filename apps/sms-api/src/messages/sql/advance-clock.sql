-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
CREATE OR REPLACE FUNCTION sms.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE sms.messages AS t SET
    created_at = t.created_at - by,
    scheduled_at = t.scheduled_at - by,
    sent_at = t.sent_at - by,
    finished_at = t.finished_at - by
  WHERE t.organization_id = organization;
  UPDATE sms.partial_deliveries AS t SET
    done_at = t.done_at - by,
    received_at = t.received_at - by
  FROM sms.messages AS m
  WHERE m.organization_id = organization AND t.message_id = m.id;
$$;
