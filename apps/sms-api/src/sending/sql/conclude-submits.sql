-- Records the outcomes of submits. Outcomes: 'sent'; 'refused' (failed and refunded); 'given_up' (failed and not refunded, because the
-- carrier may have accepted the message); 'held' (treated as sent, without proof); 'unresolved' (submit again); 'released' (never
-- accepted). Changes only messages that are not sent yet, so a repeated call has no effect. Returns, for each receipt that arrived before the
-- response to its submit was stored, the seconds from the submit to the arrival of the receipt.
--
-- PostgreSQL caches plans that it made while the tables were small. Other plan types are disabled, so that a cached plan always uses index
-- look-ups by arrays of keys and hash joins with the batch. JIT is off because disabled plan types raise the estimated cost.
CREATE OR REPLACE FUNCTION sms.conclude_submits(batch json)
RETURNS TABLE (lag_seconds double precision)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  results sms.submit_result[];
  ids uuid[];
  upstream text[];
  refunds credits.entry[];
  early json;
BEGIN
  SELECT array_agg(r), array_agg(r.id) INTO results, ids
  FROM json_populate_recordset(NULL::sms.submit_result, batch) AS r;

  WITH moved AS (
    UPDATE sms.messages AS m SET
      status = CASE WHEN r.outcome IN ('sent', 'held') THEN 'sent'
                    WHEN r.outcome IN ('refused', 'given_up') THEN 'failed'
                    ELSE m.status END,
      carrier = coalesce(r.carrier, m.carrier),
      sent_at = CASE WHEN r.outcome IN ('sent', 'held') THEN r.at END,
      finished_at = CASE WHEN r.outcome IN ('refused', 'given_up') THEN r.at END,
      last_error = r.error,
      attempts = CASE WHEN r.attempts IS NULL THEN m.attempts ELSE messaging.add_attempt(m.attempts, r.attempts) END,
      upstream_ids = CASE WHEN r.outcome = 'sent' THEN r.upstream_ids END,
      claimed_until = CASE WHEN r.outcome = 'unresolved' THEN now() END,
      submits = m.submits - CASE WHEN r.outcome = 'released' THEN 1 ELSE 0 END
    FROM unnest(results) AS r
    WHERE m.id = ANY (ids) AND m.id = r.id AND m.status IN ('queued', 'scheduled')
    RETURNING m.id, m.organization_id, m.workspace_id, m.campaign_id, m.correlation_id, m.recipient, m.carrier, m.credits_cost,
      r.outcome, r.upstream_ids, r.error, messaging.rfc3339(r.at) AS at
  ), stored AS (
    INSERT INTO sms.parts (carrier, upstream_id, message_id, parts)
    SELECT m.carrier, u.id, m.id, cardinality(m.upstream_ids)
    FROM moved AS m CROSS JOIN unnest(m.upstream_ids) AS u (id)
    WHERE m.outcome = 'sent'
    ON CONFLICT DO NOTHING
  ), refunded AS (
    INSERT INTO campaigns.results (campaign_id, kind, amount)
    SELECT m.campaign_id, 'credits', -sum(m.credits_cost)::integer
    FROM moved AS m WHERE m.campaign_id IS NOT NULL AND m.outcome = 'refused' GROUP BY m.campaign_id
  ), sms_events AS (
    INSERT INTO messaging.outbox (id, type, payload)
    SELECT e.id, e.type, messaging.event(
      e.id, e.type, m.at, m.organization_id, m.workspace_id, m.correlation_id,
      CASE e.type
        WHEN 'sms.sent' THEN json_build_object('messageId', m.id, 'to', m.recipient, 'carrier', m.carrier, 'sentAt', m.at)
        ELSE json_build_object('messageId', m.id, 'to', m.recipient, 'carrier', m.carrier, 'error', m.error,
                               'refunded', m.outcome = 'refused' AND m.credits_cost > 0, 'failedAt', m.at)
        END)
    FROM moved AS m
    CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id,
      CASE WHEN m.outcome IN ('sent', 'held') THEN 'sms.sent' ELSE 'sms.failed' END AS type) AS e
    WHERE m.outcome IN ('sent', 'held', 'refused', 'given_up')
  )
  SELECT array_agg(ROW(m.ord, gen_random_uuid(), m.organization_id, m.workspace_id, 'sms', 'refund', m.credits_cost,
                       'sms:' || m.id, m.correlation_id)::credits.entry) INTO refunds
  FROM (SELECT *, row_number() OVER ()::integer AS ord FROM moved) AS m
  WHERE m.outcome = 'refused' AND m.credits_cost > 0;

  IF refunds IS NOT NULL THEN
    PERFORM 1 FROM credits.post(refunds);
  END IF;

  SELECT array_agg(u.id) INTO upstream FROM unnest(results) AS r CROSS JOIN unnest(r.upstream_ids) AS u (id);
  WITH taken AS (
    -- A receipt of another carrier with the same id is stored as unmatched again.
    DELETE FROM sms.unmatched_receipts AS k WHERE k.upstream_id = ANY (upstream)
    RETURNING k.carrier, k.upstream_id, k.state, k.error_code, k.done_at, k.received_at
  )
  SELECT json_agg(t) INTO early FROM taken AS t;

  IF early IS NOT NULL THEN
    RETURN QUERY SELECT r.lag_seconds FROM sms.record_receipts(early) AS r;
  END IF;
END $$;
