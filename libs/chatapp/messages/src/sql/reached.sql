-- Applies the effects of messages that the provider has accepted: each number belongs to the workspace that wrote to it last, earlier
-- inbound messages of the number without an owner belong to the first workspace that wrote to it, and the recipient is recorded as
-- opted in unless another consent is recorded. The caller holds locks on the messages.
CREATE OR REPLACE FUNCTION chatapp.reached(ids uuid[])
RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  newly text[];
  item record;
BEGIN
  IF ids IS NULL THEN
    RETURN;
  END IF;
  WITH latest AS (
    SELECT DISTINCT ON (m.account_id, number) m.account_id, coalesce(l.upstream_number, m.recipient) AS number,
      m.organization_id, m.workspace_id, m.created_at
    FROM chatapp.messages AS m
    LEFT JOIN chatapp.number_aliases AS l ON l.account_id = m.account_id AND l.number = m.recipient
    WHERE m.id = ANY (ids)
    ORDER BY m.account_id, number, m.created_at DESC, m.id DESC
  ), known AS (
    INSERT INTO chatapp.numbers AS n (account_id, number, last_outbound_at, organization_id, workspace_id)
    SELECT l.account_id, l.number, l.created_at, l.organization_id, l.workspace_id FROM latest AS l
    ORDER BY l.account_id, l.number
    ON CONFLICT (account_id, number) DO UPDATE
      SET last_outbound_at = excluded.last_outbound_at, organization_id = excluded.organization_id,
        workspace_id = excluded.workspace_id
      WHERE n.last_outbound_at IS NULL OR n.last_outbound_at <= excluded.last_outbound_at
    RETURNING n.number
  )
  SELECT array_agg(k.number) INTO newly FROM known AS k;

  -- After the locks on the numbers, concurrent inserts of inbound messages have committed.
  IF newly IS NOT NULL THEN
    FOR item IN
      SELECT i.id, n.organization_id, n.workspace_id
      FROM chatapp.messages AS i
      JOIN chatapp.numbers AS n ON n.account_id = i.account_id AND n.number = i.sender
      WHERE i.direction = 'inbound' AND i.organization_id IS NULL AND i.sender = ANY (newly)
    LOOP
      UPDATE chatapp.messages AS i SET organization_id = item.organization_id, workspace_id = item.workspace_id
      WHERE i.id = item.id;
      INSERT INTO messaging.outbox (id, type, payload)
      SELECT e.id, 'chatapp.message.changed', messaging.event(
        e.id, 'chatapp.message.changed', messaging.rfc3339(now()), item.organization_id, item.workspace_id, NULL,
        json_build_object('messageId', item.id))
      FROM (SELECT gen_random_uuid() AS id) AS e;
    END LOOP;
  END IF;

  -- A recorded consent, above all an opt-out, does not change.
  WITH written AS (
    SELECT DISTINCT m.organization_id, m.recipient FROM chatapp.messages AS m WHERE m.id = ANY (ids)
  ), news AS (
    SELECT w.organization_id, w.recipient FROM written AS w
    WHERE NOT EXISTS (
      SELECT FROM chatapp.consents AS c
      WHERE c.organization_id = w.organization_id AND c.number = w.recipient AND c.status <> 'pending')
  ), recorded AS (
    INSERT INTO chatapp.consents AS c (id, organization_id, number, status, source)
    SELECT gen_random_uuid(), w.organization_id, w.recipient, 'opted_in', 'send' FROM news AS w
    ORDER BY w.organization_id, w.recipient
    ON CONFLICT (organization_id, number) DO UPDATE
      SET status = 'opted_in', source = 'send', updated_at = now() WHERE c.status = 'pending'
    RETURNING c.id, c.organization_id, c.number, c.status, c.source
  )
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT e.id, 'chatapp.consent.changed', messaging.event(
    e.id, 'chatapp.consent.changed', e.at, c.organization_id, NULL, NULL,
    json_build_object(
      'consentId', c.id, 'number', c.number, 'status', c.status, 'source', c.source, 'occurredAt', e.at))
  FROM recorded AS c
  -- Refers to the row with left(…, 0), so that PostgreSQL makes an id for every row instead of one for all.
  CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id,
    messaging.rfc3339(now()) || left(c.number, 0) AS at) AS e;
END $$;
