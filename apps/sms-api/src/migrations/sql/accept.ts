/** One message to accept, as the service composes it; names and order are those of `AcceptanceRow`. */
export const ACCEPTANCE_TYPE = `
CREATE TYPE sms.acceptance AS (
  ord integer,
  id uuid,
  entry_id uuid,
  organization_id uuid,
  workspace_id uuid,
  sender_id uuid,
  template_id uuid,
  header text,
  recipient text,
  country text,
  body text,
  encoding text,
  segments smallint,
  credits_cost integer,
  flash boolean,
  dlt_entity_id text,
  dlt_template_id text,
  scheduled_at timestamptz,
  created_at timestamptz,
  correlation_id text,
  caller_id uuid,
  endpoint text,
  idempotency_key text,
  fingerprint text,
  answer json
)`;

/**
 * Accepts a batch: claims the idempotency keys, charges, and stores message and event of all that could be charged.
 * Outcomes: 'posted', 'insufficient' (with the balance), 'repeated' (another call holds the key).
 */
export const ACCEPT = `
CREATE FUNCTION sms.accept(batch json)
RETURNS TABLE (ord integer, outcome text, balance bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  entries sms.acceptance[];
  keyed boolean;
  repeated integer[] := '{}';
  ords integer[];
  outcomes text[];
  balances bigint[];
BEGIN
  SELECT array_agg(r), bool_or(r.idempotency_key IS NOT NULL) INTO entries, keyed
  FROM json_populate_recordset(NULL::sms.acceptance, batch) AS r;

  IF keyed THEN
    WITH wanted AS (
      SELECT DISTINCT ON (r.caller_id, r.endpoint, r.idempotency_key)
        r.ord, r.caller_id, r.endpoint, r.idempotency_key, r.fingerprint
      FROM unnest(entries) AS r
      WHERE r.idempotency_key IS NOT NULL
      ORDER BY r.caller_id, r.endpoint, r.idempotency_key, r.ord
    ), claimed AS (
      INSERT INTO idempotency.answers AS a (caller_id, endpoint, key, fingerprint, status, body, expires_at)
      SELECT w.caller_id, w.endpoint, w.idempotency_key, w.fingerprint, 200, '{}', now() + interval '24 hours'
      FROM wanted AS w
      ORDER BY 1, 2, 3
      ON CONFLICT (caller_id, endpoint, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, status = 200, body = '{}', expires_at = excluded.expires_at
        WHERE a.expires_at <= now()
      RETURNING caller_id, endpoint, key
    )
    SELECT coalesce(array_agg(r.ord), '{}') INTO repeated
    FROM unnest(entries) AS r
    WHERE r.idempotency_key IS NOT NULL AND r.ord NOT IN (
      SELECT w.ord FROM wanted AS w
      JOIN claimed AS c ON c.caller_id = w.caller_id AND c.endpoint = w.endpoint AND c.key = w.idempotency_key);
  END IF;

  SELECT array_agg(p.ord), array_agg(p.outcome), array_agg(p.balance) INTO ords, outcomes, balances
  FROM credits.post((
    SELECT array_agg(ROW(r.ord, r.entry_id, r.organization_id, r.workspace_id, 'sms', 'charge', -r.credits_cost,
                         'sms:' || r.id, r.correlation_id)::credits.entry)
    FROM unnest(entries) AS r WHERE r.ord <> ALL (repeated))) AS p;

  INSERT INTO sms.messages (
    id, organization_id, workspace_id, sender_id, template_id, created_at, scheduled_at, credits_cost, segments, flash,
    status, encoding, country, header, recipient, body, dlt_entity_id, dlt_template_id, correlation_id)
  SELECT r.id, r.organization_id, r.workspace_id, r.sender_id, r.template_id, r.created_at, r.scheduled_at,
    r.credits_cost, r.segments, r.flash, CASE WHEN r.scheduled_at IS NULL THEN 'queued' ELSE 'scheduled' END,
    r.encoding, r.country, r.header, r.recipient, r.body, r.dlt_entity_id, r.dlt_template_id, r.correlation_id
  FROM unnest(entries) AS r JOIN unnest(ords, outcomes) AS p (ord, outcome) ON p.ord = r.ord AND p.outcome = 'posted';

  -- The event's id is the message's: there is one such event, and canceling finds it.
  INSERT INTO messaging.outbox (id, type, available_at, payload)
  SELECT r.id, 'sms.queued', coalesce(r.scheduled_at, now()), json_build_object(
    'id', r.id, 'type', 'sms.queued', 'version', 1,
    'time', to_char(coalesce(r.scheduled_at, now()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'organizationId', r.organization_id, 'workspaceId', r.workspace_id, 'correlationId', r.correlation_id,
    'data', json_build_object(
      'messageId', r.id, 'to', r.recipient, 'from', r.header, 'senderId', r.sender_id, 'templateId', r.template_id,
      'encoding', r.encoding, 'country', r.country, 'segments', r.segments, 'creditsCost', r.credits_cost,
      'scheduledAt', r.scheduled_at, 'createdAt', r.created_at))
  FROM unnest(entries) AS r JOIN unnest(ords, outcomes) AS p (ord, outcome) ON p.ord = r.ord AND p.outcome = 'posted';

  IF keyed THEN
    DELETE FROM idempotency.answers AS a
    USING unnest(entries) AS r JOIN unnest(ords, outcomes) AS p (ord, outcome) ON p.ord = r.ord AND p.outcome <> 'posted'
    WHERE a.caller_id = r.caller_id AND a.endpoint = r.endpoint AND a.key = r.idempotency_key;

    UPDATE idempotency.answers AS a
    SET body = (
      SELECT json_object_agg(f.key, CASE f.key WHEN 'creditsRemaining' THEN to_json(p.balance) ELSE f.value END)
      FROM json_each(r.answer) AS f)
    FROM unnest(entries) AS r
    JOIN unnest(ords, outcomes, balances) AS p (ord, outcome, balance) ON p.ord = r.ord AND p.outcome = 'posted'
    WHERE a.caller_id = r.caller_id AND a.endpoint = r.endpoint AND a.key = r.idempotency_key;
  END IF;

  RETURN QUERY
    SELECT p.ord, p.outcome, p.balance FROM unnest(ords, outcomes, balances) AS p (ord, outcome, balance)
    UNION ALL
    SELECT r.ord, 'repeated', 0::bigint FROM unnest(repeated) AS r (ord);
END $$`;
