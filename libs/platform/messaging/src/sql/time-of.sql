-- The time of a UUIDv7, in milliseconds.
CREATE OR REPLACE FUNCTION messaging.time_of(id uuid) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp((('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint) / 1000.0)
$$;
