-- Publishes the jobs of emails again that are due and unfinished for `older_than`; see messaging.publish_again. Examines the recipients
-- from `from_at` on, in the order of the time of their email: the acceptance, or the scheduled time. A recipient is due at that
-- time, when the lease of its email ends, or at its next try.
CREATE OR REPLACE FUNCTION email.requeue(from_at timestamptz, older_than interval, started timestamptz, most integer)
RETURNS TABLE (requeued integer, next_at timestamptz, hold_at timestamptz, oldest_at timestamptz)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  piece CONSTANT integer := 50000;
  until_at timestamptz;
  jobs json;
BEGIN
  SELECT messaging.time_of(r.message_id) INTO until_at FROM email.recipients AS r
  WHERE r.message_id >= messaging.first_id(from_at) AND r.message_id < messaging.first_id(now())
  ORDER BY r.message_id OFFSET piece LIMIT 1;
  SELECT least(until_at, (
    SELECT m.scheduled_at FROM email.messages AS m
    WHERE m.scheduled_at >= from_at AND m.scheduled_at <= now() ORDER BY m.scheduled_at OFFSET piece LIMIT 1)) INTO until_at;
  -- A piece ends later than it begins.
  next_at := CASE WHEN until_at IS NOT NULL THEN greatest(until_at, from_at + interval '1 millisecond') END;
  until_at := coalesce(next_at, now());

  WITH recipients AS (
    SELECT m.id, m.campaign_id, messaging.time_of(m.id) AS at, m.lease_until, r.state, r.next_try_at
    FROM email.recipients AS r JOIN email.messages AS m ON m.id = r.message_id
    WHERE r.message_id >= messaging.first_id(from_at) AND r.message_id < messaging.first_id(until_at)
      AND r.state IN ('waiting', 'sending', 'deferred') AND m.scheduled_at IS NULL
    UNION ALL
    SELECT m.id, m.campaign_id, m.scheduled_at, m.lease_until, r.state, r.next_try_at
    FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
    WHERE m.scheduled_at >= from_at AND m.scheduled_at < until_at AND r.state IN ('waiting', 'sending', 'deferred')),
  unfinished AS (
    SELECT r.id, r.campaign_id, min(r.at) AS at,
      min(CASE WHEN r.state = 'deferred' THEN r.next_try_at ELSE greatest(r.at, r.lease_until) END) AS due_at
    FROM recipients AS r GROUP BY r.id, r.campaign_id),
  -- The emails of a paused campaign wait until it is resumed.
  running AS (
    SELECT u.id, u.due_at FROM unfinished AS u
    WHERE CASE WHEN u.campaign_id IS NULL THEN true ELSE NOT campaigns.is_stopped(u.campaign_id) END),
  chosen AS (
    SELECT r.id, r.due_at FROM running AS r WHERE most > 0 AND r.due_at <= now() - older_than
    ORDER BY r.due_at LIMIT 5 * most)
  SELECT (SELECT min(u.at) FROM unfinished AS u), (SELECT min(r.due_at) FROM running AS r WHERE r.due_at <= now()), (
    SELECT json_agg(json_build_object(
      'id', m.id, 'due_at', c.due_at, 'organization_id', m.organization_id, 'queue', 'email-api.send',
      'event', messaging.event(
        m.id, 'email.due', messaging.rfc3339(c.due_at), m.organization_id, m.workspace_id, m.correlation_id,
        json_build_object('messageId', m.id, 'kind', CASE WHEN m.campaign_id IS NULL THEN 'bulk' ELSE 'campaign' END))))
    FROM chosen AS c JOIN email.messages AS m ON m.id = c.id)
  INTO hold_at, oldest_at, jobs;
  requeued := CASE WHEN jobs IS NULL THEN 0
    ELSE messaging.publish_again('email', 'email.due', 'messageId', older_than, started, most, jobs) END;
  RETURN NEXT;
END $$;
