-- Appends a failed attempt to the attempts of a message, of which the first 5 and the last 15 are retained.
CREATE OR REPLACE FUNCTION messaging.add_attempt(attempts jsonb, attempt json) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN jsonb_array_length(coalesce(attempts, '[]')) < 20 THEN coalesce(attempts, '[]') ELSE attempts - 5 END || attempt::jsonb
$$;
