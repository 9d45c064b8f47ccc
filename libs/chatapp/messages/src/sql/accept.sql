-- Accepts a batch of messages whose terms are decided (`termsOf`): claims the idempotency keys, takes what is left of the free
-- allowances, charges the rest, and stores the messages. `ord` is unique and not negative. Outcomes: 'posted'; 'opted_out' (since the
-- terms were decided); 'insufficient' (with the balance); 'repeated' (another request holds the key). Any outcome other than 'posted'
-- leaves no data.
--
-- Locks are taken in one order everywhere: keys, messages, allowances, accounts, numbers, consents. Cached query plans
-- may date from a time when the tables were small, so every plan must look up tables by key.
CREATE OR REPLACE FUNCTION chatapp.accept(batch json)
RETURNS TABLE (ord integer, outcome text, balance bigint, is_free boolean)
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  entries chatapp.acceptance[];
  keyed boolean;
  item record;
  outcomes text[];
  balances bigint[];
  free boolean[];
  months date[];
  size integer;
  taken integer;
  granted integer;
  place integer;
BEGIN
  SELECT array_agg(r), bool_or(r.idempotency_key IS NOT NULL), max(r.ord) + 1 INTO entries, keyed, size
  FROM json_populate_recordset(NULL::chatapp.acceptance, batch) AS r;
  outcomes := array_fill('open'::text, ARRAY[size]);
  balances := array_fill(0::bigint, ARRAY[size]);
  free := array_fill(false, ARRAY[size]);
  months := array_fill(NULL::date, ARRAY[size]);

  IF keyed THEN
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

  FOR item IN
    SELECT r.ord, r.is_free, EXISTS (
      SELECT FROM chatapp.consents AS c
      WHERE c.organization_id = r.organization_id AND c.number IN (r.recipient, r.upstream_number)
        AND c.status = 'opted_out') AS is_opted_out
    FROM unnest(entries) AS r WHERE outcomes[r.ord + 1] = 'open'
  LOOP
    IF item.is_opted_out THEN
      outcomes[item.ord + 1] := 'opted_out';
    ELSE
      free[item.ord + 1] := item.is_free;
    END IF;
  END LOOP;

  -- Sorted by workspace, then in the order of arrival.
  FOR item IN
    SELECT r.workspace_id, r.category, r.allowance_month AS month, r.monthly_limit, array_agg(r.ord ORDER BY r.ord) AS ords
    FROM unnest(entries) AS r WHERE r.allowance_month IS NOT NULL AND outcomes[r.ord + 1] = 'open'
    GROUP BY r.workspace_id, r.category, r.allowance_month, r.monthly_limit
    ORDER BY r.workspace_id, r.category, r.allowance_month, r.monthly_limit
  LOOP
    INSERT INTO chatapp.allowance_uses (workspace_id, category, month, used)
    VALUES (item.workspace_id, item.category, item.month, 0) ON CONFLICT DO NOTHING;
    SELECT u.used INTO taken FROM chatapp.allowance_uses AS u
    WHERE u.workspace_id = item.workspace_id AND u.category = item.category AND u.month = item.month FOR UPDATE;
    granted := least(greatest(item.monthly_limit - taken, 0), cardinality(item.ords));
    CONTINUE WHEN granted = 0;
    UPDATE chatapp.allowance_uses AS u SET used = taken + granted
    WHERE u.workspace_id = item.workspace_id AND u.category = item.category AND u.month = item.month;
    FOREACH place IN ARRAY item.ords[1:granted] LOOP
      free[place + 1] := true;
      months[place + 1] := item.month;
    END LOOP;
  END LOOP;

  FOR item IN
    SELECT p.ord, p.outcome, p.balance FROM credits.post((
      SELECT array_agg(ROW(r.ord, r.entry_id, r.organization_id, r.workspace_id, 'chatapp', 'charge', -r.price,
                           'chatapp:' || r.id, r.correlation_id)::credits.entry)
      FROM unnest(entries) AS r
      WHERE outcomes[r.ord + 1] = 'open' AND NOT free[r.ord + 1] AND r.price > 0)) AS p
  LOOP
    outcomes[item.ord + 1] := item.outcome;
    balances[item.ord + 1] := item.balance;
  END LOOP;

  INSERT INTO chatapp.messages (
    id, account_id, organization_id, workspace_id, price, allowance_month, is_free, is_charged, direction, status, type,
    recipient, sender, category, currency, template_name, correlation_id, key_id, client_address)
  SELECT r.id, r.account_id, r.organization_id, r.workspace_id,
    CASE WHEN free[r.ord + 1] THEN 0 ELSE r.price END, months[r.ord + 1], free[r.ord + 1],
    NOT free[r.ord + 1] AND r.price > 0, 'outbound', 'accepted', r.type,
    r.recipient, r.sender, r.category, r.currency, r.template_name, r.correlation_id, r.key_id, r.client_address
  FROM unnest(entries) AS r
  WHERE outcomes[r.ord + 1] IN ('open', 'posted')
  ON CONFLICT (id) DO NOTHING;

  -- A charge publishes its own event.
  INSERT INTO messaging.outbox (id, type, payload)
  SELECT e.id, 'chatapp.message.changed', messaging.event(
    e.id, 'chatapp.message.changed', e.at, r.organization_id, r.workspace_id, r.correlation_id,
    json_build_object('messageId', r.id))
  FROM unnest(entries) AS r
  -- Refers to the row with left(…, 0), so that PostgreSQL makes an id for every row instead of one for all.
  CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id, messaging.rfc3339(now()) || left(r.recipient, 0) AS at) AS e
  WHERE outcomes[r.ord + 1] = 'open';

  IF keyed THEN
    DELETE FROM idempotency.answers AS a USING unnest(entries) AS r
    WHERE a.caller_id = r.caller_id AND a.endpoint = r.endpoint AND a.key = r.idempotency_key
      AND outcomes[r.ord + 1] NOT IN ('open', 'posted', 'repeated');
  END IF;

  RETURN QUERY SELECT r.ord, CASE outcomes[r.ord + 1] WHEN 'open' THEN 'posted' ELSE outcomes[r.ord + 1] END,
      balances[r.ord + 1], free[r.ord + 1]
    FROM unnest(entries) AS r;
END $$;
