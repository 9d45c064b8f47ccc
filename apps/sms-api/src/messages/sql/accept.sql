-- Accepts a batch of messages: claims the idempotency keys, charges the credits, and stores the message and the event of each
-- message that could be charged. `ord` counts from 0. Outcomes: 'posted'; 'insufficient' (with the balance); 'repeated' (another
-- request holds the key).
CREATE OR REPLACE FUNCTION sms.accept(batch json)
RETURNS TABLE (ord integer, outcome text, balance bigint)
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  entries sms.acceptance[];
  keyed boolean;
  item record;
  posting record;
  outcomes text[];
  balances bigint[];
BEGIN
  SELECT array_agg(r), bool_or(r.idempotency_key IS NOT NULL) INTO entries, keyed
  FROM json_populate_recordset(NULL::sms.acceptance, batch) AS r;
  outcomes := array_fill('open'::text, ARRAY[cardinality(entries)]);
  balances := array_fill(0::bigint, ARRAY[cardinality(entries)]);

  IF keyed THEN
    -- All batches claim keys in the same order, so they cannot deadlock.
    FOR item IN
      SELECT r.* FROM unnest(entries) AS r WHERE r.idempotency_key IS NOT NULL
      ORDER BY r.caller_id, r.endpoint, r.idempotency_key, r.ord
    LOOP
      IF NOT idempotency.claim(item.caller_id, item.endpoint, item.idempotency_key, item.fingerprint, 200::smallint, '{}') THEN
        outcomes[item.ord + 1] := 'repeated';
      END IF;
    END LOOP;
  END IF;

  FOR posting IN
    SELECT p.ord, p.outcome, p.balance FROM credits.post((
      SELECT array_agg(ROW(r.ord, r.entry_id, r.organization_id, r.workspace_id, 'sms', 'charge', -r.credits_cost,
                           'sms:' || r.id, r.correlation_id)::credits.entry)
      FROM unnest(entries) AS r WHERE outcomes[r.ord + 1] = 'open')) AS p
  LOOP
    outcomes[posting.ord + 1] := posting.outcome;
    balances[posting.ord + 1] := posting.balance;
  END LOOP;

  INSERT INTO sms.messages (
    id, organization_id, workspace_id, sender_id, template_id, created_at, scheduled_at, credits_cost, segments, flash,
    status, encoding, country, header, recipient, body, dlt_entity_id, dlt_template_id, correlation_id,
    reference, campaign_id, key_id, client_address)
  SELECT r.id, r.organization_id, r.workspace_id, r.sender_id, r.template_id, r.created_at, r.scheduled_at,
    r.credits_cost, r.segments, r.flash, CASE WHEN r.scheduled_at IS NULL THEN 'queued' ELSE 'scheduled' END,
    r.encoding, r.country, r.header, r.recipient, r.body, r.dlt_entity_id, r.dlt_template_id, r.correlation_id,
    r.reference, r.campaign_id, r.key_id, r.client_address
  FROM unnest(entries) AS r WHERE outcomes[r.ord + 1] = 'posted';

  -- The id of the event is the id of the message: the event is unique, and a cancellation finds it. Releases before the lanes pass no kind.
  INSERT INTO messaging.outbox (id, type, available_at, job_queue, kind, lane, in_lane, payload)
  SELECT r.id, 'sms.queued', coalesce(r.scheduled_at, now()), messaging.job_queue('sms-api.send', k.kind), messaging.job_kind(k.kind),
    messaging.job_lane(r.organization_id), r.scheduled_at IS NULL, messaging.event(
    r.id, 'sms.queued', messaging.rfc3339(coalesce(r.scheduled_at, now())), r.organization_id, r.workspace_id, r.correlation_id,
    json_build_object(
      'messageId', r.id, 'to', r.recipient, 'from', r.header, 'senderId', r.sender_id, 'templateId', r.template_id,
      'encoding', r.encoding, 'country', r.country, 'segments', r.segments, 'creditsCost', r.credits_cost,
      'scheduledAt', r.scheduled_at, 'createdAt', r.created_at, 'kind', k.kind))
  FROM unnest(entries) AS r
  CROSS JOIN LATERAL (SELECT coalesce(r.kind, CASE WHEN r.campaign_id IS NULL THEN 'single' ELSE 'campaign' END) AS kind) AS k
  WHERE outcomes[r.ord + 1] = 'posted';

  IF keyed THEN
    FOR item IN SELECT r.* FROM unnest(entries) AS r WHERE r.idempotency_key IS NOT NULL LOOP
      IF outcomes[item.ord + 1] = 'posted' THEN
        UPDATE idempotency.answers AS a SET body = (
          SELECT json_object_agg(f.key, CASE WHEN f.key IN ('creditsRemaining', 'credits_remaining') THEN to_json(balances[item.ord + 1]) ELSE f.value END)
          FROM json_each(item.answer) AS f)
        WHERE a.caller_id = item.caller_id AND a.endpoint = item.endpoint AND a.key = item.idempotency_key;
      ELSIF outcomes[item.ord + 1] = 'insufficient' THEN
        -- Releases the key, because a repeated request can succeed.
        DELETE FROM idempotency.answers AS a
        WHERE a.caller_id = item.caller_id AND a.endpoint = item.endpoint AND a.key = item.idempotency_key;
      END IF;
    END LOOP;
  END IF;

  RETURN QUERY SELECT (p.position - 1)::integer, p.outcome, p.balance
    FROM unnest(outcomes, balances) WITH ORDINALITY AS p (outcome, balance, position);
END $$;
