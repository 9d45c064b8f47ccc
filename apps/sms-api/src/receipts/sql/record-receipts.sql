-- Records final receipts and returns, for each receipt of a known part, the seconds from the submit to the arrival of the receipt. A message
-- is delivered when all its parts are delivered, and failed as soon as one part is not. If only some parts are delivered and none failed, the
-- message is listed in sms.partial_deliveries. A receipt of an unknown part is stored as unmatched. A receipt for a message whose status is
-- not 'sent' changes nothing.
--
-- PostgreSQL caches plans that it made while the tables were small. Other plan types are disabled, so that a cached plan always uses index
-- look-ups by arrays of keys and hash joins with the batch. JIT is off because disabled plan types raise the estimated cost.
CREATE OR REPLACE FUNCTION sms.record_receipts(batch json)
RETURNS TABLE (lag_seconds double precision)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  receipts sms.receipt[];
  message_ids uuid[];
  part_counts smallint[];
  long_ids uuid[];
  upstream text[];
BEGIN
  SELECT array_agg(ROW(r.carrier, r.upstream_id, r.state, r.error_code, r.done_at, coalesce(r.received_at, now()),
                       r.message_id)::sms.receipt)
  INTO receipts
  FROM json_populate_recordset(NULL::sms.receipt, batch) AS r;

  SELECT array_agg(p.message_id ORDER BY r.ord), array_agg(p.parts ORDER BY r.ord),
         array_agg(DISTINCT p.message_id) FILTER (WHERE p.parts > 1)
  INTO message_ids, part_counts, long_ids
  FROM unnest(receipts) WITH ORDINALITY AS r (carrier, upstream_id, state, error_code, done_at, received_at, message_id, ord)
  LEFT JOIN LATERAL (
    SELECT p.message_id, p.parts FROM sms.parts AS p
    WHERE p.upstream_id = r.upstream_id AND p.carrier = r.carrier AND (r.message_id IS NULL OR p.message_id = r.message_id)
    ORDER BY p.message_id DESC LIMIT 1) AS p ON true;

  INSERT INTO sms.unmatched_receipts (carrier, upstream_id, state, error_code, done_at, received_at)
  SELECT r.carrier, r.upstream_id, r.state, r.error_code, r.done_at, r.received_at
  FROM unnest(receipts) WITH ORDINALITY AS r (carrier, upstream_id, state, error_code, done_at, received_at, message_id, ord)
  WHERE message_ids[r.ord] IS NULL;

  IF long_ids IS NOT NULL THEN
    -- Locks the messages, so that two batches with different parts of one message see each other's updates.
    PERFORM 1 FROM sms.messages AS m WHERE m.id = ANY (long_ids) ORDER BY m.id FOR UPDATE;
    SELECT array_agg(r.upstream_id) INTO upstream FROM unnest(receipts) AS r;
    UPDATE sms.parts AS p SET state = r.state
    FROM unnest(receipts) WITH ORDINALITY AS r (carrier, upstream_id, state, error_code, done_at, received_at, message_id, ord)
    WHERE p.upstream_id = ANY (upstream)
      AND p.upstream_id = r.upstream_id AND p.carrier = r.carrier AND p.message_id = message_ids[r.ord]
      AND part_counts[r.ord] > 1 AND p.state IS NULL;
    INSERT INTO sms.partial_deliveries AS d (message_id, done_at, received_at)
    SELECT p.message_id, max(l.done_at), max(l.received_at)
    FROM sms.parts AS p
    JOIN (SELECT message_ids[r.ord] AS message_id, r.done_at, r.received_at
          FROM unnest(receipts) WITH ORDINALITY AS r (carrier, upstream_id, state, error_code, done_at, received_at, message_id, ord)
          WHERE part_counts[r.ord] > 1) AS l ON l.message_id = p.message_id
    WHERE p.message_id = ANY (long_ids) AND p.parts > 1
    GROUP BY p.message_id
    HAVING bool_or(p.state IS NULL) AND bool_and(p.state IS NULL OR p.state = 'delivered')
    ON CONFLICT (message_id) DO UPDATE
      SET done_at = greatest(d.done_at, excluded.done_at), received_at = greatest(d.received_at, excluded.received_at);
  END IF;

  RETURN QUERY
  WITH verdicts AS (
    SELECT DISTINCT ON (v.message_id) v.message_id, v.state, v.error_code, v.done_at, v.received_at
    FROM (
      SELECT message_ids[r.ord] AS message_id, r.state, r.error_code, r.done_at, r.received_at, r.ord
      FROM unnest(receipts) WITH ORDINALITY AS r (carrier, upstream_id, state, error_code, done_at, received_at, message_id, ord)
      WHERE part_counts[r.ord] = 1
      UNION ALL
      SELECT p.message_id,
             CASE WHEN bool_and(p.state = 'delivered') THEN 'delivered'
                  ELSE max(p.state) FILTER (WHERE p.state <> 'delivered') END,
             max(l.error_code) FILTER (WHERE l.state <> 'delivered'), max(l.done_at), max(l.received_at), 0
      FROM sms.parts AS p
      JOIN (SELECT message_ids[r.ord] AS message_id, r.state, r.error_code, r.done_at, r.received_at
            FROM unnest(receipts) WITH ORDINALITY AS r (carrier, upstream_id, state, error_code, done_at, received_at, message_id, ord)
            WHERE part_counts[r.ord] > 1) AS l ON l.message_id = p.message_id
      WHERE p.message_id = ANY (long_ids) AND p.parts > 1
      GROUP BY p.message_id
      -- Some carriers assign one id to all parts, so there can be fewer rows than parts.
      HAVING bool_and(p.state IS NOT DISTINCT FROM 'delivered') OR bool_or(p.state <> 'delivered')
    ) AS v
    ORDER BY v.message_id, v.ord
  ), moved AS (
    UPDATE sms.messages AS m SET
      status = CASE WHEN v.state = 'delivered' THEN 'delivered' ELSE 'failed' END,
      -- A date of the carrier counts if it is between submit and arrival. Carriers report whole minutes, so that a delivery can seem to
      -- come before its submit. Any other date is of another time zone, of a wrong clock or invalid.
      finished_at = greatest(m.sent_at,
        CASE WHEN v.done_at BETWEEN m.sent_at - interval '1 minute' AND v.received_at THEN v.done_at ELSE v.received_at END),
      last_error = CASE WHEN v.state <> 'delivered'
        THEN 'The carrier reports: ' || v.state || coalesce(' (error ' || v.error_code || ')', '') END
    FROM verdicts AS v
    WHERE m.id = ANY (message_ids) AND m.id = v.message_id AND m.status = 'sent'
    RETURNING m.id, m.organization_id, m.workspace_id, m.correlation_id, m.recipient, m.carrier, m.last_error, m.sent_at,
      messaging.rfc3339(m.finished_at) AS at
  ), sms_events AS (
    INSERT INTO messaging.outbox (id, type, payload)
    SELECT e.id, e.type, messaging.event(
      e.id, e.type, m.at, m.organization_id, m.workspace_id, m.correlation_id,
      CASE e.type
        WHEN 'sms.delivered' THEN
          json_build_object('messageId', m.id, 'to', m.recipient, 'carrier', m.carrier, 'deliveredAt', m.at)
        ELSE json_build_object('messageId', m.id, 'to', m.recipient, 'carrier', m.carrier, 'error', m.last_error,
                               'refunded', false, 'failedAt', m.at)
        END)
    FROM moved AS m
    CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id,
      CASE WHEN m.last_error IS NULL THEN 'sms.delivered' ELSE 'sms.failed' END AS type) AS e
  ), submits AS (
    SELECT m.id, m.sent_at FROM moved AS m
    UNION ALL
    -- Repeated receipts, and those of messages whose other parts have no receipt yet.
    SELECT m.id, m.sent_at FROM sms.messages AS m
    WHERE m.id = ANY (ARRAY(SELECT unnest(message_ids) EXCEPT SELECT o.id FROM moved AS o))
  )
  SELECT greatest(0, extract(epoch FROM r.received_at - s.sent_at))::double precision
  FROM unnest(receipts) WITH ORDINALITY AS r (carrier, upstream_id, state, error_code, done_at, received_at, message_id, ord)
  JOIN submits AS s ON s.id = message_ids[r.ord]
  WHERE s.sent_at IS NOT NULL;
END $$;
