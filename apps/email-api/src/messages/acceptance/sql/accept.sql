-- Accepts a batch of emails: claims the idempotency keys, finds the suppressed and the erased recipients, charges for the others, and stores
-- messages, recipients and jobs. `ord` counts from 0. Outcomes: 'posted'; 'insufficient' (with the balance); 'repeated' (another
-- request holds the key, or the message exists). A message without an organization is sent by Heliograph itself and costs nothing.
--
-- An email that is due immediately is leased to the accepting process for `lease_ms`; its job runs after that time, in case the
-- process has crashed. Its recipients start as 'sending'. If it has one recipient, that recipient starts with one possible copy,
-- which saves a write before DATA; with several recipients, begin_data records each copy before DATA.
CREATE OR REPLACE FUNCTION email.accept(batch json)
RETURNS TABLE (ord integer, outcome text, balance bigint, skipped smallint[])
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  entries email.acceptance[];
  people email.accepted_recipient[];
  keyed boolean;
  item record;
  posting record;
  outcomes text[];
  balances bigint[];
BEGIN
  SELECT array_agg(r), bool_or(r.idempotency_key IS NOT NULL) INTO entries, keyed
  FROM json_populate_recordset(NULL::email.acceptance, batch) AS r;
  outcomes := array_fill('open'::text, ARRAY[cardinality(entries)]);
  balances := array_fill(0::bigint, ARRAY[cardinality(entries)]);

  IF keyed THEN
    -- All batches claim keys in the same order, so they cannot deadlock.
    FOR item IN
      SELECT r.* FROM unnest(entries) AS r WHERE r.idempotency_key IS NOT NULL
      ORDER BY r.caller_id, r.endpoint, r.idempotency_key, r.ord
    LOOP
      IF NOT idempotency.claim(item.caller_id, item.endpoint, item.idempotency_key, item.fingerprint, 200::smallint,
                               json_build_object('pending', item.id)) THEN
        outcomes[item.ord + 1] := 'repeated';
      END IF;
    END LOOP;
  END IF;

  SELECT array_agg(ROW(r.ord, p.position - 1, p.address,
                       s.address_key IS NOT NULL OR p.address LIKE 'erased:%',
                       coalesce(r.recipient_kinds ->> (p.position - 1)::integer, 'to'))::email.accepted_recipient)
  INTO people
  FROM unnest(entries) AS r
  CROSS JOIN LATERAL json_array_elements_text(r.recipients) WITH ORDINALITY AS p (address, position)
  LEFT JOIN LATERAL email.suppression_of(r.organization_id, p.address, r.unsubscribe_scope) AS s ON true;

  FOR posting IN
    SELECT p.ord, p.outcome, p.balance FROM credits.post((
      SELECT array_agg(ROW(r.ord, r.entry_id, r.organization_id, r.workspace_id, 'email', 'charge', -n.charged,
                           'email:' || r.id, r.correlation_id)::credits.entry)
      FROM unnest(entries) AS r
      JOIN (SELECT p.ord, count(*) AS charged FROM unnest(people) AS p WHERE NOT p.skipped GROUP BY p.ord) AS n
        ON n.ord = r.ord
      WHERE outcomes[r.ord + 1] = 'open' AND r.organization_id IS NOT NULL)) AS p
  LOOP
    outcomes[posting.ord + 1] := posting.outcome;
    balances[posting.ord + 1] := posting.balance;
  END LOOP;

  -- Messages without an organization and messages whose recipients are all suppressed are not charged.
  FOR item IN SELECT r.* FROM unnest(entries) AS r WHERE outcomes[r.ord + 1] = 'open' LOOP
    outcomes[item.ord + 1] := 'posted';
  END LOOP;

  INSERT INTO email.messages (
    id, organization_id, workspace_id, domain_id, created_at, scheduled_at, lease_until, track_opens, track_clicks,
    unsubscribe_scope, status, from_address, from_name, reply_to, headers, subject, html, text, attachments, correlation_id,
    template_id, tags, reference, campaign_id, key_id, client_address, shares_header)
  SELECT r.id, r.organization_id, r.workspace_id, r.domain_id, r.created_at, r.scheduled_at,
    CASE WHEN n.sending > 0 AND r.due_at IS NULL THEN now() + r.lease_ms * interval '1 millisecond' END,
    r.track_opens, r.track_clicks, r.unsubscribe_scope,
    CASE WHEN n.sending = 0 THEN 'skipped' WHEN r.due_at IS NULL THEN 'sending' ELSE 'scheduled' END,
    r.from_address, r.from_name, r.reply_to, r.headers, r.subject, r.html, r.text, r.attachments, r.correlation_id,
    r.template_id, coalesce(r.tags, '{}'), r.reference, r.campaign_id, r.key_id, r.client_address, coalesce(r.shares_header, false)
  FROM unnest(entries) AS r
  JOIN (SELECT p.ord, count(*) FILTER (WHERE NOT p.skipped) AS sending FROM unnest(people) AS p GROUP BY p.ord) AS n
    ON n.ord = r.ord
  WHERE outcomes[r.ord + 1] = 'posted'
  ON CONFLICT (id) DO NOTHING;

  INSERT INTO email.recipients (message_id, campaign_id, position, copies, state, address, kind)
  SELECT r.id, r.campaign_id, p.position, CASE WHEN r.due_at IS NULL AND NOT p.skipped AND n.all_of_them = 1 THEN 1 ELSE 0 END,
    CASE WHEN p.skipped THEN 'skipped' WHEN r.due_at IS NULL THEN 'sending' ELSE 'waiting' END, p.address, p.kind
  FROM unnest(people) AS p
  JOIN unnest(entries) AS r ON r.ord = p.ord
  JOIN (SELECT p.ord, count(*) AS all_of_them FROM unnest(people) AS p GROUP BY p.ord) AS n ON n.ord = p.ord
  WHERE outcomes[p.ord + 1] = 'posted'
  ON CONFLICT (message_id, position) DO NOTHING;

  -- Releases before the lanes pass no kind.
  INSERT INTO messaging.outbox (id, type, available_at, job_queue, kind, lane, in_lane, payload)
  SELECT r.id, 'email.due', d.at, messaging.job_queue('email-api.send', k.kind), messaging.job_kind(k.kind),
    messaging.job_lane(r.organization_id), d.at <= now(),
    messaging.event(
      r.id, 'email.due', messaging.rfc3339(coalesce(r.due_at, now())), r.organization_id, r.workspace_id, r.correlation_id,
      json_build_object('messageId', r.id, 'kind', k.kind))
  FROM unnest(entries) AS r
  CROSS JOIN LATERAL (SELECT coalesce(r.kind, CASE WHEN r.campaign_id IS NULL THEN 'single' ELSE 'campaign' END) AS kind) AS k
  CROSS JOIN LATERAL (SELECT coalesce(r.due_at, now() + r.lease_ms * interval '1 millisecond') AS at) AS d
  WHERE outcomes[r.ord + 1] = 'posted'
    AND EXISTS (SELECT FROM unnest(people) AS p WHERE p.ord = r.ord AND NOT p.skipped)
  ON CONFLICT (id) DO NOTHING;

  -- A scheduled email is queued at its scheduled time.
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT q.id, 'email.queued', messaging.event(
    q.id, 'email.queued', messaging.rfc3339(now()), r.organization_id, r.workspace_id, r.correlation_id,
    json_build_object('messageId', r.id))
  FROM (SELECT r.ord, gen_random_uuid() AS id FROM unnest(entries) AS r) AS q JOIN unnest(entries) AS r USING (ord)
  WHERE outcomes[r.ord + 1] = 'posted' AND r.scheduled_at IS NULL AND r.organization_id IS NOT NULL
    AND EXISTS (SELECT FROM unnest(people) AS p WHERE p.ord = r.ord AND NOT p.skipped);

  IF keyed THEN
    -- Releases the key, because a repeated request can succeed.
    DELETE FROM idempotency.answers AS a USING unnest(entries) AS r
    WHERE a.caller_id = r.caller_id AND a.endpoint = r.endpoint AND a.key = r.idempotency_key
      AND outcomes[r.ord + 1] = 'insufficient';
  END IF;

  RETURN QUERY SELECT r.ord, outcomes[r.ord + 1], balances[r.ord + 1], ARRAY(
      SELECT p.position FROM unnest(people) AS p WHERE p.ord = r.ord AND p.skipped ORDER BY p.position)
    FROM unnest(entries) AS r;
END $$;
