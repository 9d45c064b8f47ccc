-- Publishes jobs again that are due for `older_than`, except jobs that wait in the outbox: at most `most`, those of different
-- organizations in turn. `jobs` lists candidates: {id, due_at, organization_id, queue, event}; `subject` names the field of the
-- event data that identifies a job. A job is published again after `older_than`, and then after twice the time each; with
-- `started`, once since that time. Returns the number of published jobs.
CREATE OR REPLACE FUNCTION messaging.publish_again(
  job_source text, event_type text, subject text, older_than interval, started timestamptz, most integer, jobs json) RETURNS integer
LANGUAGE plpgsql SET jit = off AS $$
DECLARE
  published integer;
BEGIN
  WITH waiting AS MATERIALIZED (
    SELECT o.payload -> 'data' ->> subject AS id, o.queue, o.job_queue FROM messaging.outbox AS o WHERE o.type = event_type),
  lost AS (
    SELECT j.*, row_number() OVER (PARTITION BY j.organization_id ORDER BY j.due_at) AS place
    FROM json_to_recordset(jobs) AS j (id text, due_at timestamptz, organization_id uuid, queue text, event json)
    LEFT JOIN messaging.requeues AS r ON r.source = job_source AND r.job_id = j.id
    WHERE j.due_at <= now() - older_than
      AND (r.job_id IS NULL OR CASE
        WHEN started IS NULL THEN r.requeued_at + older_than * (2 ^ least(r.times, 6)) <= now()
        ELSE r.requeued_at < started END)
      AND NOT EXISTS (
        SELECT FROM waiting AS w
        WHERE w.id = j.event -> 'data' ->> subject AND (w.queue IS NULL OR w.job_queue IS NOT NULL OR w.queue = j.queue))
    ORDER BY place, j.due_at LIMIT most),
  marked AS (
    INSERT INTO messaging.requeues AS r (source, job_id, requeued_at)
    SELECT job_source, l.id, clock_timestamp() FROM lost AS l
    ON CONFLICT (source, job_id) DO UPDATE SET times = r.times + 1, requeued_at = excluded.requeued_at)
  INSERT INTO messaging.outbox (id, type, payload, queue, available_at, job_queue, kind, lane, in_lane)
  SELECT gen_random_uuid(), event_type, l.event, l.queue, now() + l.place * interval '1 microsecond',
    q.queue, messaging.job_kind(l.event -> 'data' ->> 'kind'), messaging.job_lane(l.organization_id), q.queue IS NOT NULL
  FROM lost AS l LEFT JOIN messaging.job_queues AS q ON q.queue = l.queue;
  GET DIAGNOSTICS published = ROW_COUNT;
  RETURN published;
END $$;
