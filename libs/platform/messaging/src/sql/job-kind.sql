-- The number of a kind of job, in the order of `JOB_KINDS`. Jobs without a kind count as bulk.
CREATE OR REPLACE FUNCTION messaging.job_kind(kind text) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (CASE kind WHEN 'single' THEN 1 WHEN 'campaign' THEN 3 ELSE 2 END)::smallint
$$;
