-- Claims an Idempotency-Key for 24 hours and stores its first answer, or the data from which the answer is derived.
-- Returns false when another request holds the key. Callers that claim several keys do so in the order of (caller_id,
-- endpoint, key) to avoid deadlocks.
CREATE OR REPLACE FUNCTION idempotency.claim(
  caller_id uuid, endpoint text, key text, fingerprint text, status smallint, body json) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO idempotency.answers AS a (caller_id, endpoint, key, fingerprint, status, body, expires_at)
  VALUES (claim.caller_id, claim.endpoint, claim.key, claim.fingerprint, claim.status, claim.body, now() + interval '24 hours')
  ON CONFLICT (caller_id, endpoint, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, expires_at = excluded.expires_at
    WHERE a.expires_at <= now();
  RETURN FOUND;
END $$;
