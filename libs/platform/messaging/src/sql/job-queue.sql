-- The queue of a job. Single jobs have a queue of their own, so that they do not wait behind jobs of the other kinds in the broker.
CREATE OR REPLACE FUNCTION messaging.job_queue(queue text, kind text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE kind WHEN 'single' THEN queue || '-single' ELSE queue END
$$;
