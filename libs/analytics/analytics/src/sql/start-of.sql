-- The start, in UTC, of the quarter hour, hour, day or month that contains a time.
CREATE OR REPLACE FUNCTION analytics.start_of(grain analytics.grain, at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE grain
    WHEN 'quarter' THEN date_bin('15 minutes', at, '2000-01-01T00:00:00Z')
    ELSE date_trunc(grain::text, at, 'UTC') END
$$;
