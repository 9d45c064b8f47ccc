-- Publishes messages again that are due and unfinished for `older_than`; see messaging.publish_again. Examines the messages from
-- `from_at` on, in the order of their time: immediate ones by their id, scheduled ones by their scheduled time. There is no index of
-- unfinished messages, because it would make every update of a status more expensive.
CREATE OR REPLACE FUNCTION sms.requeue(from_at timestamptz, older_than interval, started timestamptz, most integer)
RETURNS TABLE (requeued integer, next_at timestamptz, hold_at timestamptz, oldest_at timestamptz)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  piece CONSTANT integer := 50000;
  until_at timestamptz;
  jobs json;
BEGIN
  SELECT messaging.time_of(m.id) INTO until_at FROM sms.messages AS m
  WHERE m.id >= messaging.first_id(from_at) AND m.id < messaging.first_id(now()) ORDER BY m.id OFFSET piece LIMIT 1;
  SELECT least(until_at, (
    SELECT m.scheduled_at FROM sms.messages AS m
    WHERE m.scheduled_at >= from_at AND m.scheduled_at <= now() ORDER BY m.scheduled_at OFFSET piece LIMIT 1)) INTO until_at;
  -- A piece ends later than it begins.
  next_at := CASE WHEN until_at IS NOT NULL THEN greatest(until_at, from_at + interval '1 millisecond') END;
  until_at := coalesce(next_at, now());

  WITH unfinished AS (
    SELECT m.id, m.campaign_id, messaging.time_of(m.id) AS at, m.created_at AS due_at FROM sms.messages AS m
    WHERE m.id >= messaging.first_id(from_at) AND m.id < messaging.first_id(until_at)
      AND m.scheduled_at IS NULL AND m.status = 'queued'
    UNION ALL
    SELECT m.id, m.campaign_id, m.scheduled_at, m.scheduled_at FROM sms.messages AS m
    WHERE m.scheduled_at >= from_at AND m.scheduled_at < until_at AND m.status = 'scheduled'),
  -- The messages of a paused campaign wait until it is resumed.
  running AS (
    SELECT u.id, u.due_at FROM unfinished AS u
    WHERE CASE WHEN u.campaign_id IS NULL THEN true ELSE NOT campaigns.is_stopped(u.campaign_id) END),
  chosen AS (
    SELECT r.id, r.due_at FROM running AS r WHERE most > 0 AND r.due_at <= now() - older_than
    ORDER BY r.due_at LIMIT 5 * most)
  SELECT (SELECT min(u.at) FROM unfinished AS u), (SELECT min(r.due_at) FROM running AS r), (
    SELECT json_agg(json_build_object(
      'id', m.id, 'due_at', c.due_at, 'organization_id', m.organization_id, 'queue', 'sms-api.send',
      'event', messaging.event(
        m.id, 'sms.queued', messaging.rfc3339(c.due_at), m.organization_id, m.workspace_id, m.correlation_id,
        json_build_object(
          'messageId', m.id, 'to', m.recipient, 'from', m.header, 'senderId', m.sender_id, 'templateId', m.template_id,
          'encoding', m.encoding, 'country', m.country, 'segments', m.segments, 'creditsCost', m.credits_cost,
          'scheduledAt', m.scheduled_at, 'createdAt', m.created_at,
          'kind', CASE WHEN m.campaign_id IS NULL THEN 'bulk' ELSE 'campaign' END))))
    FROM chosen AS c JOIN sms.messages AS m ON m.id = c.id
    WHERE m.claimed_until IS NULL OR m.claimed_until <= now())
  INTO hold_at, oldest_at, jobs;
  requeued := CASE WHEN jobs IS NULL THEN 0
    ELSE messaging.publish_again('sms', 'sms.queued', 'messageId', older_than, started, most, jobs) END;
  RETURN NEXT;
END $$;
