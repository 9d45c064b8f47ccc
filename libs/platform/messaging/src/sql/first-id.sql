-- The lowest UUIDv7 of a time.
CREATE OR REPLACE FUNCTION messaging.first_id(at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (rpad(lpad(to_hex(greatest(0, CASE WHEN isfinite(at) THEN floor(extract(epoch FROM at) * 1000) ELSE 0 END)::bigint), 12, '0'), 32, '0'))::uuid
$$;
