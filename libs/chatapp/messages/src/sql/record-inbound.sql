-- Stores inbound messages, each once; opens the window of the sender; assigns the message to the workspace that wrote to that number last;
-- lets keywords change the consent of that organization; and publishes the events. A message to an unknown account is stored
-- without further effects.
CREATE OR REPLACE FUNCTION chatapp.record_inbound(batch json)
RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  arrivals chatapp.inbound[];
  accounts uuid[];
  stored integer[];
BEGIN
  SELECT array_agg(r ORDER BY r.ord), array_agg(a.id ORDER BY r.ord) INTO arrivals, accounts
  FROM json_populate_recordset(NULL::chatapp.inbound, batch) AS r
  LEFT JOIN chatapp.accounts AS a ON a.phone_number_id = r.phone_number_id;

  UPDATE chatapp.accounts AS a SET display_number = r.recipient
  FROM unnest(arrivals) AS r
  WHERE a.phone_number_id = r.phone_number_id AND r.recipient LIKE '+%' AND a.display_number IS DISTINCT FROM r.recipient;

  -- System messages of the provider open no window. Numbers are locked before the messages are inserted, so reached()
  -- either sees the messages or waits.
  INSERT INTO chatapp.numbers AS n (account_id, number, last_inbound_at)
  SELECT accounts[r.ord + 1], r.sender, max(least(r.occurred_at, now())) FILTER (WHERE r.type <> 'system')
  FROM unnest(arrivals) AS r
  WHERE accounts[r.ord + 1] IS NOT NULL
  GROUP BY accounts[r.ord + 1], r.sender ORDER BY accounts[r.ord + 1], r.sender
  ON CONFLICT (account_id, number) DO UPDATE SET last_inbound_at = greatest(n.last_inbound_at, excluded.last_inbound_at);

  WITH fresh AS (
    INSERT INTO chatapp.messages (
      id, account_id, organization_id, workspace_id, direction, status, type, recipient, sender, upstream_id, media_id, payload,
      occurred_at)
    SELECT r.id, accounts[r.ord + 1], n.organization_id, n.workspace_id, 'inbound', 'received', r.type, r.recipient,
      r.sender, r.upstream_id, r.media_id, r.payload, r.occurred_at
    FROM unnest(arrivals) AS r
    LEFT JOIN chatapp.numbers AS n ON n.account_id = accounts[r.ord + 1] AND n.number = r.sender
    ORDER BY r.upstream_id, r.ord
    ON CONFLICT (upstream_id) WHERE direction = 'inbound' DO NOTHING
    RETURNING id, organization_id, workspace_id
  ), inbound_events AS (
    INSERT INTO messaging.outbox (id, type, payload)
    SELECT e.id, 'chatapp.inbound.received', messaging.event(
      e.id, 'chatapp.inbound.received', e.at, f.organization_id, f.workspace_id, NULL,
      json_build_object('messageId', r.id, 'chatappMessageId', r.upstream_id, 'from', r.sender,
        'to', r.recipient, 'type', r.type, 'message', r.payload, 'occurredAt', e.at))
    FROM fresh AS f
    JOIN unnest(arrivals) AS r ON r.id = f.id
    CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id,
      messaging.rfc3339(r.occurred_at) AS at) AS e
  ), keywords AS (
    SELECT DISTINCT ON (f.organization_id, r.sender) f.organization_id, r.sender, r.keyword_status, r.keyword_source,
      r.occurred_at, left(coalesce(r.keyword_text, r.payload #>> '{text,body}'), 100) AS text
    FROM fresh AS f
    JOIN unnest(arrivals) AS r ON r.id = f.id
    WHERE r.keyword_status IS NOT NULL AND f.organization_id IS NOT NULL
    ORDER BY f.organization_id, r.sender, r.occurred_at DESC, r.ord DESC
  ), recorded AS (
    INSERT INTO chatapp.consents AS c (id, organization_id, number, status, source, keyword_at)
    SELECT gen_random_uuid(), s.organization_id, s.sender, s.keyword_status, s.keyword_source, s.occurred_at
    FROM keywords AS s ORDER BY s.organization_id, s.sender
    ON CONFLICT (organization_id, number) DO UPDATE SET status = excluded.status, source = excluded.source,
      keyword_at = excluded.keyword_at, updated_at = now()
      WHERE c.keyword_at IS NULL OR c.keyword_at <= excluded.keyword_at
    RETURNING c.id, c.organization_id, c.number, c.status, c.source, c.keyword_at
  ), consent_events AS (
    INSERT INTO messaging.outbox (id, type, payload)
    SELECT e.id, 'chatapp.consent.changed', messaging.event(
      e.id, 'chatapp.consent.changed', e.at, c.organization_id, NULL, NULL,
      json_build_object(
        'consentId', c.id, 'number', c.number, 'status', c.status, 'source', c.source, 'text', s.text, 'occurredAt', e.at))
    FROM recorded AS c
    JOIN keywords AS s ON s.organization_id = c.organization_id AND s.sender = c.number
    CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id,
      messaging.rfc3339(c.keyword_at) AS at) AS e
  )
  SELECT array_agg(1) INTO stored FROM fresh;
  RETURN coalesce(cardinality(stored), 0);
END $$;
