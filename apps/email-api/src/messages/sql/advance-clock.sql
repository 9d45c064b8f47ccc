-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
CREATE OR REPLACE FUNCTION email.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE email.domains AS t SET
    checked_at = t.checked_at - by,
    verified_at = t.verified_at - by,
    failing_since = t.failing_since - by,
    expires_at = t.expires_at - by,
    created_at = t.created_at - by,
    updated_at = t.updated_at - by
  WHERE t.organization_id = organization;
  UPDATE email.failing_domains AS t SET
    failed_at = t.failed_at - by
  WHERE t.organization_id = organization;
  UPDATE email.suppressions AS t SET
    created_at = t.created_at - by
  WHERE t.organization_id = organization;
  UPDATE email.messages AS t SET
    created_at = t.created_at - by,
    scheduled_at = t.scheduled_at - by
  WHERE t.organization_id = organization;
  UPDATE email.recipients AS t SET
    first_tried_at = t.first_tried_at - by,
    next_try_at = t.next_try_at - by,
    sent_at = t.sent_at - by
  FROM email.messages AS m
  WHERE m.organization_id = organization AND t.message_id = m.id;
  UPDATE email.events AS t SET
    occurred_at = t.occurred_at - by
  FROM email.messages AS m
  WHERE m.organization_id = organization AND t.message_id = m.id;
$$;
