-- Charges messages that were refunded because no answer arrived and that were sent after all, and counts free ones against the
-- allowance again. If the balance is insufficient, nothing is charged until the next status. The caller holds locks on the messages
-- and clears `is_presumed`.
CREATE OR REPLACE FUNCTION chatapp.prove(ids uuid[])
RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  proven uuid[];
  charges credits.entry[];
  item record;
BEGIN
  -- The provider may report 'failed' before 'sent'; is_presumed is false then.
  SELECT array_agg(m.id ORDER BY m.id) INTO proven FROM chatapp.messages AS m
  WHERE m.id = ANY (ids) AND m.direction = 'outbound'
    AND (m.is_presumed OR (m.upstream_id IS NOT NULL AND m.price > 0 AND NOT m.is_free AND NOT m.is_charged));
  IF proven IS NULL THEN
    RETURN;
  END IF;

  FOR item IN
    SELECT m.workspace_id, m.category, m.allowance_month AS month, count(*) AS many FROM chatapp.messages AS m
    WHERE m.id = ANY (proven) AND m.is_presumed AND m.allowance_month IS NOT NULL
    GROUP BY m.workspace_id, m.category, m.allowance_month ORDER BY m.workspace_id, m.category, m.allowance_month
  LOOP
    UPDATE chatapp.allowance_uses AS u SET used = u.used + item.many
    WHERE u.workspace_id = item.workspace_id AND u.category = item.category AND u.month = item.month;
  END LOOP;

  SELECT array_agg(ROW((p.ord - 1)::integer, gen_random_uuid(), m.organization_id, m.workspace_id, 'chatapp', 'charge',
    -m.price, 'chatapp:' || m.id || ':proven', m.correlation_id)::credits.entry)
  INTO charges
  FROM unnest(proven) WITH ORDINALITY AS p (id, ord)
  JOIN chatapp.messages AS m ON m.id = p.id
  WHERE m.price > 0;
  FOR item IN SELECT p.ord FROM credits.post(charges) AS p WHERE p.outcome <> 'insufficient' LOOP
    UPDATE chatapp.messages AS m SET is_charged = true WHERE m.id = proven[item.ord + 1];
  END LOOP;
END $$;
