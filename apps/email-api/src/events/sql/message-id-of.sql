-- Returns the Message-ID of a mail. `token` is the signed part; if it is null, the result is null.
CREATE OR REPLACE FUNCTION email.message_id_of(token text, from_address text)
RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '<' || token || '@' || substring(from_address FROM '[^@]*$') || '>' $$;
