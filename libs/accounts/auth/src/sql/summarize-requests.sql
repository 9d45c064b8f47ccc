-- Adds new calls to the index of request ids, which is small because it stores a bloom filter for each range of pages. Calls that it
-- does not contain yet are found, but slowly. Only the owner of an index may do this, so the function runs as the owner.
CREATE OR REPLACE FUNCTION auth.summarize_requests() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT brin_summarize_new_values(i.indexrelid)
  FROM pg_inherits AS p
  JOIN pg_index AS i ON i.indrelid = p.inhrelid
  JOIN pg_class AS c ON c.oid = i.indexrelid
  JOIN pg_am AS a ON a.oid = c.relam
  WHERE p.inhparent = 'auth.requests'::regclass AND a.amname = 'brin';
$$;
