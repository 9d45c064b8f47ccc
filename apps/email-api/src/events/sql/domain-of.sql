-- The domain of an email address, in lower case.
CREATE OR REPLACE FUNCTION email.domain_of(address text)
RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT lower(substring(address FROM '[^@]*$')) $$;
