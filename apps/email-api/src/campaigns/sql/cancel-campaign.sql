-- Cancels the next waiting emails of a canceled campaign in order of their ids after `after`, and refunds them, as the cancellation of a single
-- send does. Each email of a campaign has one recipient. Returns the id of the last email, or NULL if none waits after `after`.
--
-- Emails in progress are skipped: call the function from the start again until no email waits. An email whose content was
-- transmitted without a response may have left: it counts as sent and is not refunded. Locked rows are skipped, so that this function never
-- waits for a batch of `email.record_attempts`.
CREATE OR REPLACE FUNCTION email.cancel_campaign(campaign uuid, after uuid, most integer)
RETURNS uuid
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  ids uuid[];
  free uuid[];
  refunds credits.entry[];
BEGIN
  SELECT array_agg(w.id ORDER BY w.id) INTO ids FROM (
    SELECT m.id FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
    WHERE m.campaign_id = campaign AND m.id > after AND r.state IN ('waiting', 'sending', 'deferred')
    ORDER BY m.id LIMIT most) AS w;
  IF ids IS NULL THEN
    RETURN NULL;
  END IF;

  SELECT array_agg(w.id) INTO free FROM (
    SELECT m.id FROM email.messages AS m
    WHERE m.id = ANY (ids) AND (m.lease_until IS NULL OR m.lease_until <= clock_timestamp())
    FOR UPDATE SKIP LOCKED) AS w;

  WITH presumed AS (
    UPDATE email.recipients AS r SET state = 'sent', sent_at = now(), next_try_at = NULL,
      last_error = 'The campaign was canceled. One copy may have been sent, and no answer came to it.'
    WHERE r.message_id = ANY (free) AND r.state IN ('waiting', 'sending', 'deferred') AND r.copies > 0
    RETURNING gen_random_uuid() AS event_id, r.message_id, r.address)
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT p.event_id, 'email.sent', messaging.event(
    p.event_id, 'email.sent', messaging.rfc3339(now()), m.organization_id, m.workspace_id, m.correlation_id,
    json_build_object('messageId', m.id, 'recipient', p.address, 'from', m.from_address, 'subject', m.subject))
  FROM presumed AS p JOIN email.messages AS m ON m.id = p.message_id AND m.id = ANY (free);

  WITH canceled AS (
    UPDATE email.recipients AS r SET state = 'canceled', next_try_at = NULL
    WHERE r.message_id = ANY (free) AND r.state IN ('waiting', 'sending', 'deferred')
    RETURNING r.message_id)
  SELECT array_agg(ROW(n.ord, gen_random_uuid(), m.organization_id, m.workspace_id, 'email', 'refund', n.canceled,
                       'email:' || m.id, m.correlation_id)::credits.entry) INTO refunds
  FROM (SELECT c.message_id, count(*) AS canceled, (row_number() OVER (ORDER BY c.message_id) - 1)::integer AS ord
        FROM canceled AS c GROUP BY c.message_id) AS n
  JOIN email.messages AS m ON m.id = n.message_id AND m.id = ANY (free);
  IF refunds IS NOT NULL THEN
    PERFORM 1 FROM credits.post(refunds);
  END IF;

  UPDATE email.messages AS m SET lease_until = NULL,
    status = CASE WHEN EXISTS (SELECT FROM email.recipients AS r WHERE r.message_id = m.id AND r.state = 'canceled') THEN 'canceled' ELSE 'sent' END
  WHERE m.id = ANY (free);
  -- The job of an email has its id.
  DELETE FROM messaging.outbox AS o WHERE o.id = ANY (free);
  RETURN ids[cardinality(ids)];
END $$;
