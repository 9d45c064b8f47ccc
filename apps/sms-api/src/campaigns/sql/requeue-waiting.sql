-- Publishes the events of waiting messages to `queue` again, each at its time. A message that is already sent or claimed ignores its event.
CREATE OR REPLACE FUNCTION sms.requeue_waiting(ids uuid[], due timestamptz[], queue text)
RETURNS void
LANGUAGE sql SET jit = off SET enable_seqscan = off AS $$
  INSERT INTO messaging.outbox (id, type, available_at, queue, job_queue, kind, lane, in_lane, payload)
  SELECT gen_random_uuid(), 'sms.queued', d.due, queue, queue, messaging.job_kind('campaign'), messaging.job_lane(m.organization_id), d.due <= now(),
    messaging.event(
    m.id, 'sms.queued', messaging.rfc3339(coalesce(m.scheduled_at, m.created_at)), m.organization_id, m.workspace_id, m.correlation_id,
    json_build_object(
      'messageId', m.id, 'to', m.recipient, 'from', m.header, 'senderId', m.sender_id, 'templateId', m.template_id,
      'encoding', m.encoding, 'country', m.country, 'segments', m.segments, 'creditsCost', m.credits_cost,
      'scheduledAt', m.scheduled_at, 'createdAt', m.created_at, 'kind', 'campaign'))
  FROM unnest(ids, due) AS d (id, due)
  JOIN sms.messages AS m ON m.id = d.id
  WHERE m.id = ANY (ids) AND m.status IN ('queued', 'scheduled')
$$;
