-- Records statuses of outbound messages, which may arrive in any order and repeatedly. Each status sets its own
-- timestamp once; the message's status only moves forward: sent, delivered, read. 'failed' remains unless a delivered
-- or read status contradicts it. If no answer arrived, a status provides the provider's id, and charges the refunded
-- message again if the balance suffices. A status without a message is stored as unmatched.
CREATE OR REPLACE FUNCTION chatapp.record_statuses(batch json)
RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  statuses chatapp.status[];
  targets uuid[];
  ids uuid[];
  proven uuid[];
BEGIN
  SELECT array_agg(r) INTO statuses FROM json_populate_recordset(NULL::chatapp.status, batch) AS r;

  -- The status contains the id of this system, which identifies a message whose answer is not stored yet.
  SELECT array_agg(coalesce(c.id, u.id) ORDER BY r.ord) INTO targets
  FROM unnest(statuses) WITH ORDINALITY AS r (upstream_id, callback_id, status, occurred_at, error, error_code, ord)
  LEFT JOIN chatapp.messages AS c ON c.id = r.callback_id AND c.direction = 'outbound'
    AND (c.upstream_id IS NULL OR c.upstream_id = r.upstream_id)
  LEFT JOIN LATERAL (
    SELECT m.id FROM chatapp.messages AS m
    WHERE m.upstream_id = r.upstream_id AND m.direction = 'outbound' AND m.upstream_id IS NOT NULL
    ORDER BY m.id DESC LIMIT 1) AS u ON c.id IS NULL;

  INSERT INTO chatapp.unmatched_statuses (upstream_id, status, occurred_at, error, error_code)
  SELECT r.upstream_id, r.status, r.occurred_at, r.error, r.error_code
  FROM unnest(statuses) WITH ORDINALITY AS r (upstream_id, callback_id, status, occurred_at, error, error_code, ord)
  WHERE targets[r.ord] IS NULL
  ORDER BY r.upstream_id, r.status
  ON CONFLICT (upstream_id, status) DO NOTHING;

  SELECT array_agg(DISTINCT t ORDER BY t) INTO ids FROM unnest(targets) AS t WHERE t IS NOT NULL;
  IF ids IS NULL THEN
    RETURN;
  END IF;
  PERFORM 1 FROM chatapp.messages AS m WHERE m.id = ANY (ids) ORDER BY m.id FOR UPDATE;

  PERFORM chatapp.prove((
    SELECT array_agg(DISTINCT targets[r.ord])
    FROM unnest(statuses) WITH ORDINALITY AS r (upstream_id, callback_id, status, occurred_at, error, error_code, ord)
    WHERE targets[r.ord] IS NOT NULL AND r.status <> 'failed'));

  SELECT array_agg(m.id) INTO proven FROM chatapp.messages AS m WHERE m.id = ANY (ids) AND m.upstream_id IS NULL;

  WITH news AS (
    SELECT targets[r.ord] AS id, max(r.upstream_id) AS upstream_id,
      min(r.occurred_at) FILTER (WHERE r.status = 'sent') AS sent_at,
      min(r.occurred_at) FILTER (WHERE r.status = 'delivered') AS delivered_at,
      min(r.occurred_at) FILTER (WHERE r.status = 'read') AS read_at,
      min(r.occurred_at) FILTER (WHERE r.status = 'failed') AS failed_at,
      (array_agg(r.error ORDER BY r.occurred_at, r.ord) FILTER (WHERE r.status = 'failed'))[1] AS error,
      (array_agg(r.error_code ORDER BY r.occurred_at, r.ord) FILTER (WHERE r.status = 'failed'))[1] AS error_code
    FROM unnest(statuses) WITH ORDINALITY AS r (upstream_id, callback_id, status, occurred_at, error, error_code, ord)
    WHERE targets[r.ord] IS NOT NULL
    GROUP BY targets[r.ord]
  ), moved AS (
    UPDATE chatapp.messages AS m SET
      upstream_id = coalesce(m.upstream_id, n.upstream_id),
      sent_at = coalesce(m.sent_at, n.sent_at),
      delivered_at = coalesce(m.delivered_at, n.delivered_at),
      read_at = coalesce(m.read_at, n.read_at),
      failed_at = CASE WHEN m.is_presumed THEN n.failed_at ELSE coalesce(m.failed_at, n.failed_at) END,
      error = CASE WHEN m.is_presumed THEN n.error ELSE coalesce(m.error, n.error) END,
      error_code = CASE WHEN m.is_presumed THEN n.error_code ELSE coalesce(m.error_code, n.error_code) END,
      status = CASE
        WHEN coalesce(m.read_at, n.read_at) IS NOT NULL THEN 'read'
        WHEN coalesce(m.delivered_at, n.delivered_at) IS NOT NULL THEN 'delivered'
        WHEN n.failed_at IS NOT NULL OR (m.failed_at IS NOT NULL AND NOT m.is_presumed) THEN 'failed'
        WHEN coalesce(m.sent_at, n.sent_at) IS NOT NULL THEN 'sent'
        ELSE m.status END,
      is_presumed = false
    FROM news AS n, chatapp.messages AS o
    WHERE m.id = n.id AND m.id = ANY (ids) AND o.id = m.id
    RETURNING m.id, m.organization_id, m.workspace_id, m.correlation_id, m.recipient, m.upstream_id, m.error, m.error_code,
      CASE WHEN o.sent_at IS NULL THEN m.sent_at END AS sent_at,
      CASE WHEN o.delivered_at IS NULL THEN m.delivered_at END AS delivered_at,
      CASE WHEN o.read_at IS NULL THEN m.read_at END AS read_at,
      CASE WHEN o.failed_at IS NULL OR o.is_presumed THEN m.failed_at END AS failed_at
  )
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT e.id, e.type, messaging.event(
    e.id, e.type, e.at, m.organization_id, m.workspace_id, m.correlation_id,
    CASE e.type
      WHEN 'chatapp.failed' THEN json_build_object('messageId', m.id, 'chatappMessageId', m.upstream_id,
        'to', m.recipient, 'error', m.error, 'errorCode', m.error_code, 'refunded', false, 'occurredAt', e.at)
      ELSE json_build_object('messageId', m.id, 'chatappMessageId', m.upstream_id, 'to', m.recipient,
        'occurredAt', e.at) END)
  FROM moved AS m
  CROSS JOIN LATERAL (
    SELECT gen_random_uuid() AS id, h.type,
      messaging.rfc3339(h.at) AS at
    FROM (VALUES ('chatapp.sent', m.sent_at), ('chatapp.delivered', m.delivered_at), ('chatapp.read', m.read_at),
                 ('chatapp.failed', m.failed_at)) AS h (type, at)
    WHERE h.at IS NOT NULL) AS e;

  PERFORM chatapp.reached(proven);
END $$;
