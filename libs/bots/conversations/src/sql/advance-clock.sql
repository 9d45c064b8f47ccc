-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
CREATE OR REPLACE FUNCTION bots.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE bots.conversations AS t SET
    handoff_requested_at = t.handoff_requested_at - by,
    feedback_at = t.feedback_at - by,
    ended_at = t.ended_at - by,
    last_message_at = t.last_message_at - by,
    created_at = t.created_at - by,
    updated_at = t.updated_at - by
  WHERE t.organization_id = organization;
  UPDATE bots.messages AS t SET
    created_at = t.created_at - by
  FROM bots.conversations AS c
  WHERE c.organization_id = organization AND t.conversation_id = c.id;
  UPDATE bots.submissions AS t SET
    created_at = t.created_at - by
  WHERE t.organization_id = organization;
$$;
