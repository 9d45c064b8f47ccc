-- Publishes requests of system emails again that are older than `older_than`; see messaging.publish_again. The content is deleted once
-- the email is accepted, so every row is unfinished, and the table is small.
CREATE OR REPLACE FUNCTION system_mail.requeue(from_at timestamptz, older_than interval, started timestamptz, most integer)
RETURNS TABLE (requeued integer, next_at timestamptz, hold_at timestamptz, oldest_at timestamptz)
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  jobs json;
BEGIN
  WITH chosen AS (
    SELECT c.id, c.created_at, c.event FROM system_mail.contents AS c
    WHERE c.event IS NOT NULL AND c.created_at >= least(from_at, now() - interval '30 days') AND c.created_at <= now() - older_than
    ORDER BY c.created_at LIMIT 5 * most)
  SELECT (SELECT min(c.created_at) FROM system_mail.contents AS c WHERE c.event IS NOT NULL), (
    SELECT json_agg(json_build_object(
      'id', c.id, 'due_at', c.created_at, 'organization_id', c.event ->> 'organizationId', 'queue', 'email-api.mail',
      'event', c.event)) FROM chosen AS c)
  INTO oldest_at, jobs;
  hold_at := oldest_at;
  next_at := NULL;
  requeued := CASE WHEN jobs IS NULL THEN 0
    ELSE messaging.publish_again('system-mail', 'mail.requested', 'contentId', older_than, started, most, jobs) END;
  RETURN NEXT;
END $$;
