-- Appends a failed attempt, or an array of them, to the attempts of a message, of which the first 5 and the last 15 are retained.
CREATE OR REPLACE FUNCTION messaging.add_attempt(attempts jsonb, attempt json) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN jsonb_array_length(a.list) <= 20 THEN a.list ELSE (
    SELECT jsonb_agg(e.value ORDER BY e.ord) FROM jsonb_array_elements(a.list) WITH ORDINALITY AS e (value, ord)
    WHERE e.ord <= 5 OR e.ord > jsonb_array_length(a.list) - 15) END
  FROM (SELECT coalesce(attempts, '[]') || attempt::jsonb AS list) AS a
$$;
