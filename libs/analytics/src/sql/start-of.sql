-- The start, in UTC, of the quarter hour, hour, day, week or eight weeks that contain a time. `blocks.ts` has the same origin.
CREATE OR REPLACE FUNCTION analytics.start_of(grain analytics.grain, at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin(CASE grain WHEN 'quarter' THEN interval '15 minutes' WHEN 'hour' THEN interval '1 hour'
    WHEN 'day' THEN interval '1 day' WHEN 'week' THEN interval '7 days' ELSE interval '56 days' END,
    at, timestamptz '2000-01-03T00:00:00Z')
$$;
