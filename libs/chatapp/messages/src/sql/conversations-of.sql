-- What is recorded about conversations of organizations with numbers: the number as the provider knows it, the last inbound message of
-- the number, and the consents under either number. `ord` counts from 0. What follows from it is decided in TypeScript.
CREATE OR REPLACE FUNCTION chatapp.conversations_of(batch json)
RETURNS TABLE (ord integer, upstream_number text, last_inbound_at timestamptz, consents text[], read_at timestamptz)
LANGUAGE plpgsql STABLE
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY
  SELECT r.ord, l.upstream_number, n.last_inbound_at,
    ARRAY(SELECT c.status FROM chatapp.consents AS c
          WHERE c.organization_id = r.organization_id AND c.number IN (r.number, l.upstream_number)),
    now()
  FROM json_to_recordset(batch) AS r (ord integer, account_id uuid, organization_id uuid, number text)
  LEFT JOIN chatapp.number_aliases AS l ON l.account_id = r.account_id AND l.number = r.number
  LEFT JOIN chatapp.numbers AS n
    ON n.account_id = r.account_id AND n.number = coalesce(l.upstream_number, r.number);
END $$;
