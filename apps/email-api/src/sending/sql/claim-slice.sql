-- Leases a due email to the calling process for `lease_ms`, and claims up to `most` of its recipients (null: all). `email.settle` ends the
-- lease when all claimed recipients have an outcome; then the next recipients can be claimed. Outcomes:
-- - 'over': no recipient remains to be sent, the message does not exist, or its campaign is paused or canceled: the emails of a paused
--   campaign are queued again when the campaign is resumed.
-- - 'wait': another process holds the message, or no recipient is due within `wait_ms`.
-- - 'claimed': `recipients` are now 'sending', as [{position, address, copies, attempts, firstTriedAt}].
--
-- A scheduled email checks the current suppressions first; the charge for a skipped recipient is refunded. Recipients that a
-- crashed process left as 'sending' are claimed again, unless `max_copies` copies may have been sent: those count as sent.
CREATE OR REPLACE FUNCTION email.claim_slice(message uuid, lease_ms integer, max_copies integer, most integer)
RETURNS TABLE (outcome text, wait_ms integer, sent json, recipients json)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  found email.messages;
  refused bigint;
  first_position smallint;
  next_at timestamptz;
  next_event uuid;
  shown json;
  taken json;
BEGIN
  SELECT m.* INTO found FROM email.messages AS m WHERE m.id = message FOR UPDATE;
  IF found.id IS NULL OR found.status IN ('skipped', 'canceled') THEN
    RETURN QUERY SELECT 'over', 0, NULL::json, NULL::json;
    RETURN;
  END IF;
  IF found.campaign_id IS NOT NULL THEN
    IF campaigns.is_stopped(found.campaign_id) THEN
      RETURN QUERY SELECT 'over', 0, NULL::json, NULL::json;
      RETURN;
    END IF;
  END IF;
  IF found.lease_until > clock_timestamp() THEN
    RETURN QUERY SELECT 'wait', ceil(extract(epoch FROM found.lease_until - clock_timestamp()) * 1000)::integer,
      NULL::json, NULL::json;
    RETURN;
  END IF;

  IF found.status = 'scheduled' THEN
    WITH dropped AS (
      UPDATE email.recipients AS r SET state = 'skipped'
      WHERE r.message_id = message AND r.state = 'waiting'
        AND EXISTS (SELECT FROM email.suppression_of(found.organization_id, r.address, found.unsubscribe_scope))
      RETURNING r.position)
    SELECT count(*) INTO refused FROM dropped;
    IF refused > 0 THEN
      PERFORM credits.post(ARRAY[ROW(0, gen_random_uuid(), found.organization_id, found.workspace_id, 'email', 'refund',
        refused, 'email:' || message || ':skipped', found.correlation_id)::credits.entry]);
    END IF;
  END IF;

  -- Skips persons who were erased after the acceptance. The first position makes the reference of the refund unique.
  WITH dropped AS (
    UPDATE email.recipients AS r SET state = 'skipped'
    WHERE r.message_id = message AND r.state IN ('waiting', 'deferred') AND r.address LIKE 'erased:%'
    RETURNING r.position)
  SELECT count(*), min(d.position) INTO refused, first_position FROM dropped AS d;
  IF refused > 0 THEN
    PERFORM credits.post(ARRAY[ROW(0, gen_random_uuid(), found.organization_id, found.workspace_id, 'email', 'refund',
      refused, 'email:' || message || ':erased:' || first_position, found.correlation_id)::credits.entry]);
  END IF;

  WITH presumed AS (
    UPDATE email.recipients AS r SET state = 'sent', sent_at = now(),
      last_error = 'Up to ' || max_copies || ' copies may have been sent. The mail server confirmed none of them.'
    WHERE r.message_id = message AND r.state = 'sending' AND r.copies >= max_copies
    RETURNING gen_random_uuid() AS event_id, r.address)
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT p.event_id, 'email.sent', messaging.event(
    p.event_id, 'email.sent', messaging.rfc3339(now()), found.organization_id, found.workspace_id, found.correlation_id,
    json_build_object('messageId', message, 'recipient', p.address, 'from', found.from_address, 'subject', found.subject))
  FROM presumed AS p WHERE found.organization_id IS NOT NULL;

  WITH due AS (
    UPDATE email.recipients AS r SET state = 'sending'
    WHERE r.message_id = message AND r.position = ANY (ARRAY(
      SELECT d.position FROM email.recipients AS d
      WHERE d.message_id = message
        AND (d.state IN ('waiting', 'sending') OR d.state = 'deferred' AND d.next_try_at <= clock_timestamp())
      ORDER BY d.position LIMIT most))
    RETURNING r.position, r.address, r.copies, r.attempts, r.first_tried_at)
  SELECT json_agg(json_build_object('position', d.position, 'address', d.address, 'copies', d.copies,
    'attempts', d.attempts, 'firstTriedAt', d.first_tried_at) ORDER BY d.position) INTO taken FROM due AS d;

  IF taken IS NULL THEN
    SELECT min(r.next_try_at) INTO next_at FROM email.recipients AS r WHERE r.message_id = message AND r.state = 'deferred';
    IF next_at IS NULL THEN
      PERFORM email.settle(ARRAY[message]);
      RETURN QUERY SELECT 'over', 0, NULL::json, NULL::json;
    ELSE
      RETURN QUERY SELECT 'wait', greatest(0, ceil(extract(epoch FROM next_at - clock_timestamp()) * 1000))::integer,
        NULL::json, NULL::json;
    END IF;
    RETURN;
  END IF;

  -- Emails without a scheduled time were queued when they were accepted, others when they were claimed for the first time.
  IF found.status = 'scheduled' AND found.scheduled_at IS NOT NULL AND found.organization_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM email.recipients AS r WHERE r.message_id = message AND r.first_tried_at IS NOT NULL) THEN
    next_event := gen_random_uuid();
    INSERT INTO messaging.outbox (id, type, payload)
    VALUES (next_event, 'email.queued', messaging.event(
      next_event, 'email.queued', messaging.rfc3339(now()), found.organization_id, found.workspace_id, found.correlation_id,
      json_build_object('messageId', message)));
  END IF;

  IF found.shares_header THEN
    SELECT json_build_object(
      'to', coalesce(json_agg(r.address ORDER BY r.position) FILTER (WHERE r.kind = 'to'), '[]'),
      'cc', coalesce(json_agg(r.address ORDER BY r.position) FILTER (WHERE r.kind = 'cc'), '[]')) INTO shown
    FROM email.recipients AS r WHERE r.message_id = message AND r.address NOT LIKE 'erased:%';
  END IF;

  UPDATE email.messages AS m SET status = 'sending', lease_until = clock_timestamp() + lease_ms * interval '1 millisecond'
  WHERE m.id = message;
  RETURN QUERY SELECT 'claimed', 0, json_build_object(
    'id', found.id, 'organizationId', found.organization_id, 'workspaceId', found.workspace_id,
    'domainId', found.domain_id, 'trackOpens', found.track_opens, 'trackClicks', found.track_clicks,
    'unsubscribeScope', found.unsubscribe_scope, 'shownRecipients', shown,
    'fromAddress', found.from_address, 'fromName', found.from_name, 'replyTo', found.reply_to, 'headers', found.headers, 'subject', found.subject, 'html', found.html,
    'text', found.text, 'attachments', found.attachments, 'createdAt', found.created_at,
    'correlationId', found.correlation_id, 'campaignId', found.campaign_id), taken;
END $$;
