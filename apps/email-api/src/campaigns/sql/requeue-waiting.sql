-- Creates the jobs of waiting emails again, each at its time, or at the time of the retry if that is later. An email that is already sent or in
-- progress ignores its job.
CREATE OR REPLACE FUNCTION email.requeue_waiting(ids uuid[], due timestamptz[])
RETURNS void
LANGUAGE sql SET jit = off SET enable_seqscan = off AS $$
  INSERT INTO messaging.outbox (id, type, available_at, job_queue, kind, lane, in_lane, payload)
  SELECT m.id, 'email.due', greatest(d.due, n.next_at), 'email-api.send', messaging.job_kind('campaign'),
    messaging.job_lane(m.organization_id), greatest(d.due, n.next_at) <= now(), messaging.event(
      m.id, 'email.due', messaging.rfc3339(greatest(d.due, n.next_at)), m.organization_id, m.workspace_id, m.correlation_id,
      json_build_object('messageId', m.id, 'kind', 'campaign'))
  FROM unnest(ids, due) AS d (id, due)
  JOIN email.messages AS m ON m.id = d.id
  CROSS JOIN LATERAL (
    SELECT min(r.next_try_at) AS next_at, count(*) AS waiting FROM email.recipients AS r
    WHERE r.message_id = m.id AND r.state IN ('waiting', 'sending', 'deferred')) AS n
  WHERE m.id = ANY (ids) AND n.waiting > 0
  ON CONFLICT (id) DO UPDATE SET available_at = excluded.available_at, job_queue = excluded.job_queue, kind = excluded.kind,
    lane = excluded.lane, in_lane = excluded.in_lane
$$;
