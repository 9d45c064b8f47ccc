-- Appends events to the log and adds their deliveries, in one transaction. The row of the organization in
-- `webhooks.streams` stays locked until the commit, so that sequences have no gaps and become visible in order. An
-- event whose id is already stored is skipped. Matched subscriptions are locked until the commit: a transaction that deletes
-- or switches off one of them waits, and then finds all its deliveries. A row that another transaction locks for long fails the
-- call, so that it does not delay the events of other organizations. Returns the number of stored events.
CREATE OR REPLACE FUNCTION webhooks.append(items json, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET jit = off SET lock_timeout = '500ms' AS $$
DECLARE
  stored integer := 0;
  stream record;
BEGIN
  FOR stream IN
    SELECT (i.item ->> 'organizationId')::uuid AS organization_id FROM json_array_elements(items) AS i(item)
    GROUP BY 1 ORDER BY 1
  LOOP
    INSERT INTO webhooks.streams AS s (organization_id, last_sequence) VALUES (stream.organization_id, 0)
    ON CONFLICT (organization_id) DO UPDATE SET last_sequence = s.last_sequence;
  END LOOP;
  WITH given AS (
    SELECT DISTINCT ON ((i.item ->> 'id')::uuid) (i.item ->> 'id')::uuid AS id,
      (i.item ->> 'organizationId')::uuid AS organization_id, (i.item ->> 'workspaceId')::uuid AS workspace_id,
      i.item ->> 'type' AS type, (i.item ->> 'subjectId')::uuid AS subject_id, (i.item ->> 'body')::json AS body, i.place
    FROM json_array_elements(items) WITH ORDINALITY AS i(item, place)
    ORDER BY (i.item ->> 'id')::uuid, i.place),
  fresh AS (
    SELECT g.*, s.last_sequence + row_number() OVER (PARTITION BY g.organization_id ORDER BY g.place) AS sequence
    FROM given AS g JOIN webhooks.streams AS s USING (organization_id)
    WHERE NOT EXISTS (SELECT FROM webhooks.events AS e WHERE e.id = g.id)),
  added AS (
    INSERT INTO webhooks.events (id, organization_id, workspace_id, sequence, type, subject_id, body, created_at)
    SELECT f.id, f.organization_id, f.workspace_id, f.sequence, f.type, f.subject_id, f.body, at FROM fresh AS f
    RETURNING id, organization_id, workspace_id, sequence, type, subject_id),
  advanced AS (
    UPDATE webhooks.streams AS s SET last_sequence = n.sequence
    FROM (SELECT organization_id, max(sequence) AS sequence FROM added GROUP BY 1) AS n
    WHERE s.organization_id = n.organization_id),
  matched AS (
    SELECT webhooks.new_id(at) AS delivery_id, s.id AS subscription_id, a.*
    FROM added AS a JOIN webhooks.subscriptions AS s ON s.organization_id = a.organization_id
    WHERE s.active AND s.disabled_at IS NULL AND (s.workspace_id IS NULL OR s.workspace_id = a.workspace_id)
      AND webhooks.matches(s.events, a.type)
    FOR KEY SHARE OF s),
  logged AS (
    INSERT INTO webhooks.deliveries
      (id, subscription_id, organization_id, event_id, event_type, subject_id, next_attempt_at, created_at)
    SELECT m.delivery_id, m.subscription_id, m.organization_id, m.id, m.type, m.subject_id, at, at FROM matched AS m),
  queued AS (
    INSERT INTO webhooks.queue (delivery_id, subscription_id, event_id, due_at)
    SELECT m.delivery_id, m.subscription_id, m.id, at FROM matched AS m)
  SELECT count(*)::int INTO stored FROM added;
  RETURN stored;
END $$;
