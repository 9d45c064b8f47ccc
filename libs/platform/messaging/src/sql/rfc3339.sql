-- Formats a timestamp as RFC 3339 in UTC with milliseconds, the format in events.
CREATE OR REPLACE FUNCTION messaging.rfc3339(at timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
