/** Names are those of `StatusRow`. */
export const STATUS_TYPE = `
CREATE TYPE chatapp.status AS (
  upstream_id text,
  callback_id uuid,
  status text,
  occurred_at timestamptz,
  error text,
  error_code integer
)`;

/**
 * Records statuses of outbound messages, in whatever order and however often they come. Each sets its own time once;
 * the status only moves forward: sent, delivered, read; 'failed' stands unless a delivered or a read contradicts it.
 * What a message proves by a status it has not proven by an answer: its platform id; and what had been refunded because
 * no answer came is charged after all, if the balance suffices. A status of no message is parked.
 */
export const RECORD_STATUSES = `
CREATE FUNCTION chatapp.record_statuses(batch json)
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

  -- Our own id comes back with the status: it finds a message whose answer has not been stored.
  SELECT array_agg(coalesce(c.id, u.id) ORDER BY r.ord) INTO targets
  FROM unnest(statuses) WITH ORDINALITY AS r (upstream_id, callback_id, status, occurred_at, error, error_code, ord)
  LEFT JOIN chatapp.messages AS c ON c.id = r.callback_id AND c.direction = 'outbound'
    AND (c.upstream_id IS NULL OR c.upstream_id = r.upstream_id)
  LEFT JOIN LATERAL (
    SELECT m.id FROM chatapp.messages AS m
    WHERE m.upstream_id = r.upstream_id AND m.direction = 'outbound' AND m.upstream_id IS NOT NULL
    ORDER BY m.id DESC LIMIT 1) AS u ON c.id IS NULL;

  INSERT INTO chatapp.parked_statuses (upstream_id, status, occurred_at, error, error_code)
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
  SELECT e.id, e.type, json_build_object(
    'id', e.id, 'type', e.type, 'version', 1, 'time', e.at,
    'organizationId', m.organization_id, 'workspaceId', m.workspace_id, 'correlationId', m.correlation_id,
    'data', CASE e.type
      WHEN 'chatapp.failed' THEN json_build_object('messageId', m.id, 'chatappMessageId', m.upstream_id,
        'to', m.recipient, 'error', m.error, 'errorCode', m.error_code, 'refunded', false, 'occurredAt', e.at)
      ELSE json_build_object('messageId', m.id, 'chatappMessageId', m.upstream_id, 'to', m.recipient,
        'occurredAt', e.at) END)
  FROM moved AS m
  CROSS JOIN LATERAL (
    SELECT gen_random_uuid() AS id, h.type,
      to_char(h.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM (VALUES ('chatapp.sent', m.sent_at), ('chatapp.delivered', m.delivered_at), ('chatapp.read', m.read_at),
                 ('chatapp.failed', m.failed_at)) AS h (type, at)
    WHERE h.at IS NOT NULL) AS e;

  PERFORM chatapp.reached(proven);
END $$`;

/**
 * Takes parked statuses whose message is known by now, of at most `most` messages, and records them. Answers how many.
 * Whoever takes a parked status has its message locked, so that nobody waits for a parked one while holding another.
 */
export const MATCH_PARKED = `
CREATE FUNCTION chatapp.match_parked(most integer)
RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  known text[];
  batch json;
BEGIN
  SELECT array_agg(f.upstream_id) INTO known
  FROM (
    SELECT k.upstream_id FROM chatapp.parked_statuses AS k
    WHERE EXISTS (SELECT FROM chatapp.messages AS m
                  WHERE m.upstream_id = k.upstream_id AND m.direction = 'outbound' AND m.upstream_id IS NOT NULL)
    ORDER BY k.parked_at LIMIT most) AS f;
  IF known IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM 1 FROM chatapp.messages AS m
  WHERE m.upstream_id = ANY (known) AND m.direction = 'outbound' AND m.upstream_id IS NOT NULL ORDER BY m.id FOR UPDATE;

  WITH taken AS (
    DELETE FROM chatapp.parked_statuses AS k WHERE k.upstream_id = ANY (known)
    RETURNING k.upstream_id, k.status, k.occurred_at, k.error, k.error_code
  )
  SELECT json_agg(t) INTO batch FROM taken AS t;
  IF batch IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM chatapp.record_statuses(batch);
  RETURN json_array_length(batch);
END $$`;
