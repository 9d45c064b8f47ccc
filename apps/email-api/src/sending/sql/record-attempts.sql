-- Records the outcomes of attempts: 'sent'; 'deferred' until `next_try_at`; 'uncertain' (no response after the content) and 'held' (the
-- email could not be composed or signed), which are retried at `next_try_at` too; 'refused' permanently, with a refund. A refusal at the
-- first attempt sets the recipient to 'failed'; a refusal after a deferral, which was reported as accepted, is a bounce. 'held' does not
-- count as an attempt, because nothing was submitted; neither does 'released', whose campaign was paused or canceled.
CREATE OR REPLACE FUNCTION email.record_attempts(batch json)
RETURNS void
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  messages uuid[];
  ended json;
BEGIN
  SELECT array_agg(DISTINCT b.message_id ORDER BY b.message_id) INTO messages
  FROM json_populate_recordset(NULL::email.attempt, batch) AS b;
  -- All batches lock rows in the same order, so they cannot deadlock, and settle() sees all recorded attempts of a message.
  PERFORM FROM email.messages AS m WHERE m.id = ANY (messages) ORDER BY m.id FOR UPDATE;

  WITH recorded AS (
    UPDATE email.recipients AS r SET
      state = CASE WHEN b.outcome = 'released' AND r.attempts = 0 THEN 'waiting'
                   WHEN b.outcome IN ('deferred', 'uncertain', 'held', 'released') THEN 'deferred'
                   WHEN b.outcome = 'refused' AND r.attempts = 0 THEN 'failed' ELSE 'sent' END,
      copies = b.copies,
      attempts = CASE WHEN b.outcome IN ('held', 'released') THEN r.attempts ELSE least(r.attempts + 1, 1000) END,
      first_tried_at = CASE WHEN b.outcome = 'released' THEN r.first_tried_at ELSE coalesce(r.first_tried_at, b.at) END,
      next_try_at = b.next_try_at,
      sent_at = CASE WHEN b.outcome = 'sent' THEN b.at ELSE r.sent_at END,
      last_error = b.error,
      history = CASE WHEN b.error IS NULL THEN r.history ELSE messaging.add_attempt(r.history,
        json_build_object('at', messaging.rfc3339(b.at), 'outcome', b.outcome, 'error', b.error)) END
    FROM json_populate_recordset(NULL::email.attempt, batch) AS b
    WHERE r.message_id = b.message_id AND r.position = b.position AND r.state = 'sending'
    RETURNING r.message_id, r.position, r.address, r.state, b.outcome, b.event_id, b.error, b.suppresses, b.suppress_after_days, b.at,
      b.mail_token)
  SELECT json_agg(json_build_object('messageId', d.message_id, 'position', d.position, 'address', d.address,
    'state', d.state, 'outcome', d.outcome, 'eventId', d.event_id, 'error', d.error, 'suppresses', d.suppresses,
    'suppressAfterDays', d.suppress_after_days, 'at', d.at, 'mailToken', d.mail_token)) INTO ended
  FROM recorded AS d WHERE d.outcome IN ('sent', 'refused');

  IF ended IS NOT NULL THEN
    INSERT INTO messaging.outbox (id, type, payload)
    SELECT e."eventId", 'email.sent', messaging.event(
      e."eventId", 'email.sent', messaging.rfc3339(e.at), m.organization_id, m.workspace_id, m.correlation_id,
      json_build_object('messageId', m.id, 'recipient', e.address,
        'emailMessageId', email.message_id_of(e."mailToken", m.from_address), 'from', m.from_address, 'subject', m.subject))
    FROM json_to_recordset(ended) AS e ("messageId" uuid, outcome text, "eventId" uuid, address text, at timestamptz,
      "mailToken" text)
    JOIN email.messages AS m ON m.id = e."messageId"
    WHERE e.outcome = 'sent' AND m.organization_id IS NOT NULL;

    INSERT INTO messaging.outbox (id, type, payload)
    SELECT e."eventId", 'email.failed', messaging.event(
      e."eventId", 'email.failed', messaging.rfc3339(e.at), m.organization_id, m.workspace_id, m.correlation_id,
      json_build_object('messageId', m.id, 'recipient', e.address, 'reason', e.error))
    FROM json_to_recordset(ended) AS e ("messageId" uuid, state text, "eventId" uuid, address text, error text, at timestamptz)
    JOIN email.messages AS m ON m.id = e."messageId"
    WHERE e.state = 'failed' AND m.organization_id IS NOT NULL;

    PERFORM FROM credits.post((
      SELECT array_agg(ROW(n.ord, gen_random_uuid(), m.organization_id, m.workspace_id, 'email', 'refund', n.refused,
                           'email:' || m.id || ':' || n.first, m.correlation_id)::credits.entry)
      FROM (SELECT e."messageId" AS id, min(e.position) AS first, count(*) AS refused,
              (row_number() OVER (ORDER BY e."messageId") - 1)::integer AS ord
            FROM json_to_recordset(ended) AS e ("messageId" uuid, position smallint, outcome text)
            JOIN email.messages AS m ON m.id = e."messageId" AND m.organization_id IS NOT NULL
            WHERE e.outcome = 'refused' GROUP BY e."messageId") AS n
      JOIN email.messages AS m ON m.id = n.id));

    INSERT INTO campaigns.results (campaign_id, kind, amount)
    SELECT m.campaign_id, 'credits', -count(*)::integer
    FROM json_to_recordset(ended) AS e ("messageId" uuid, outcome text)
    JOIN email.messages AS m ON m.id = e."messageId"
    WHERE e.outcome = 'refused' AND m.campaign_id IS NOT NULL GROUP BY m.campaign_id;

    PERFORM email.record_events((
      SELECT json_agg(json_build_object('ord', 0, 'id', e."eventId", 'message_id', e."messageId",
        'position', e.position, 'type', 'bounced', 'reason', e.error, 'occurred_at', e.at,
        'suppresses', e.suppresses, 'suppress_after_days', e."suppressAfterDays", 'mail_token', e."mailToken"))
      FROM json_to_recordset(ended) AS e ("messageId" uuid, position smallint, state text, outcome text,
        "eventId" uuid, error text, suppresses boolean, "suppressAfterDays" smallint, at timestamptz, "mailToken" text)
      WHERE e.outcome = 'refused' AND e.state = 'sent'));

    -- A permanent refusal at the first attempt is not a bounce, because the email was not reported as sent, but it also
    -- suppresses the address.
    INSERT INTO email.suppressions AS s (organization_id, address_key, scope, address, reason, message_id)
    SELECT DISTINCT ON (m.organization_id, lower(e.address)) m.organization_id, lower(e.address), 'all', e.address, 'bounced', m.id
    FROM json_to_recordset(ended) AS e ("messageId" uuid, address text, state text, suppresses boolean)
    JOIN email.messages AS m ON m.id = e."messageId"
    WHERE e.state = 'failed' AND e.suppresses AND m.organization_id IS NOT NULL
    ON CONFLICT (organization_id, address_key, scope) DO NOTHING;
    PERFORM email.fail_domain(m.organization_id, e.address, m.id, e.at, e."suppressAfterDays")
    FROM json_to_recordset(ended) AS e ("messageId" uuid, address text, state text, suppresses boolean, "suppressAfterDays" smallint,
      at timestamptz)
    JOIN email.messages AS m ON m.id = e."messageId"
    WHERE e.state = 'failed' AND e."suppressAfterDays" IS NOT NULL AND NOT e.suppresses AND m.organization_id IS NOT NULL;
  END IF;

  -- Emails that were claimed but not attempted wait again. Each email of a campaign has one recipient. Its job ends without effect
  -- while the campaign is paused.
  WITH returned AS (
    UPDATE email.messages AS m SET status = 'scheduled', lease_until = NULL
    FROM json_populate_recordset(NULL::email.attempt, batch) AS b
    JOIN email.recipients AS r ON r.message_id = b.message_id AND r.position = b.position AND r.state = 'waiting'
    WHERE b.outcome = 'released' AND m.id = b.message_id AND m.campaign_id IS NOT NULL
    RETURNING m.id, m.organization_id, m.workspace_id, m.correlation_id)
  INSERT INTO messaging.outbox (id, type, job_queue, kind, lane, in_lane, payload)
  SELECT m.id, 'email.due', 'email-api.send', messaging.job_kind('campaign'), messaging.job_lane(m.organization_id), true,
    messaging.event(m.id, 'email.due', messaging.rfc3339(now()), m.organization_id, m.workspace_id,
      m.correlation_id, json_build_object('messageId', m.id, 'kind', 'campaign'))
  FROM returned AS m ON CONFLICT (id) DO NOTHING;

  PERFORM email.settle(messages);
END $$;
