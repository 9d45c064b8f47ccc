-- Called by processes of the previous release, which do not know `email.claim_slice`. Claims all due recipients of an email.
CREATE OR REPLACE FUNCTION email.claim(message uuid, lease_ms integer, max_copies integer)
RETURNS TABLE (outcome text, wait_ms integer, sent json, recipients json) LANGUAGE sql SET jit = off AS $$
  SELECT * FROM email.claim_slice(message, lease_ms, max_copies, NULL)
$$;
