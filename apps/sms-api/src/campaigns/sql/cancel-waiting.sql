-- Cancels and refunds those of the messages that wait and that no worker has claimed, as the cancellation of a single message does. A message
-- whose submit received no response may have left. It fails and is not refunded, as after the last submit. Locked rows are
-- skipped, so that this function never waits for a batch of `sms.claim` or `sms.record_submits`.
CREATE OR REPLACE FUNCTION sms.cancel_waiting(ids uuid[])
RETURNS void
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  free uuid[];
  refunds credits.entry[];
BEGIN
  SELECT array_agg(w.id) INTO free FROM (
    SELECT m.id FROM sms.messages AS m
    WHERE m.id = ANY (ids) AND m.status IN ('queued', 'scheduled') AND (m.claimed_until IS NULL OR m.claimed_until <= now())
    FOR UPDATE SKIP LOCKED) AS w;

  WITH given_up AS (
    UPDATE sms.messages AS m SET status = 'failed', finished_at = now(), claimed_until = NULL,
      last_error = 'The message was canceled. The carrier did not respond to a submit; it may have accepted the message, so the credits are not refunded.'
    WHERE m.id = ANY (free) AND m.submits > 0
    RETURNING gen_random_uuid() AS event_id, m.id, m.organization_id, m.workspace_id, m.correlation_id, m.recipient, m.carrier, m.last_error)
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT m.event_id, 'sms.failed', messaging.event(
    m.event_id, 'sms.failed', messaging.rfc3339(now()), m.organization_id, m.workspace_id, m.correlation_id,
    json_build_object('messageId', m.id, 'to', m.recipient, 'carrier', m.carrier, 'error', m.last_error, 'refunded', false,
                      'failedAt', messaging.rfc3339(now())))
  FROM given_up AS m;

  WITH canceled AS (
    UPDATE sms.messages AS m SET status = 'canceled', finished_at = now()
    WHERE m.id = ANY (free) AND m.submits = 0
    RETURNING m.id, m.organization_id, m.workspace_id, m.credits_cost, m.correlation_id)
  SELECT array_agg(ROW(m.ord, gen_random_uuid(), m.organization_id, m.workspace_id, 'sms', 'refund', m.credits_cost,
                       'sms:' || m.id, m.correlation_id)::credits.entry) INTO refunds
  FROM (SELECT *, (row_number() OVER (ORDER BY id) - 1)::integer AS ord FROM canceled WHERE credits_cost > 0) AS m;
  IF refunds IS NOT NULL THEN
    PERFORM 1 FROM credits.post(refunds);
  END IF;

  -- The event of a scheduled message has its id.
  DELETE FROM messaging.outbox AS o USING sms.messages AS m
  WHERE o.id = ANY (free) AND m.id = ANY (free) AND o.id = m.id AND m.scheduled_at IS NOT NULL AND m.status = 'canceled';
END $$;
