-- The Message-ID of a mail. `token` is its signed part; null without it.
CREATE OR REPLACE FUNCTION email.message_id_of(token text, from_address text)
RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '<' || token || '@' || substring(from_address FROM '[^@]*$') || '>' $$;
