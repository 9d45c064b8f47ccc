-- Removes the suppression that an unsubscribe from this email to this recipient made, and no other one: not one of another email, of another
-- scope, or with another reason, such as a complaint. Publishes `email.resubscribed`. Returns whether there was one.
CREATE OR REPLACE FUNCTION email.resubscribe(event uuid, message uuid, place integer, occurred_at timestamptz)
RETURNS boolean LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  WITH removed AS (
    DELETE FROM email.suppressions AS s USING email.recipients AS r, email.messages AS m
    WHERE r.message_id = message AND r.position = place AND m.id = message
      AND s.organization_id = m.organization_id AND s.address_key = lower(r.address)
      AND s.scope = email.unsubscribed_scope(m.unsubscribe_scope) AND s.reason = 'unsubscribed' AND s.message_id = message
    RETURNING s.organization_id, s.scope, r.address, m.workspace_id, m.correlation_id)
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT event, 'email.resubscribed', messaging.event(
    event, 'email.resubscribed', messaging.rfc3339(occurred_at), d.organization_id, d.workspace_id, d.correlation_id,
    json_build_object('messageId', message, 'recipient', d.address, 'scope', d.scope))
  FROM removed AS d;
  RETURN FOUND;
END $$;
