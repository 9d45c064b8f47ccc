-- Releases emails without recipients in progress. If none waits either, derives the status from the recipients, and schedules the job for
-- the first deferred recipient or deletes it. If some wait, the next slice can be claimed.
-- States of a recipient: 'waiting' (scheduled), 'sending' (in progress), 'deferred' (waiting for a retry), 'sent' (accepted by the mail
-- backend, possibly twice), 'failed' (refused and refunded), 'skipped' (suppressed), 'canceled'.
CREATE OR REPLACE FUNCTION email.settle(messages uuid[])
RETURNS void
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  item record;
BEGIN
  FOR item IN
    SELECT m.*, n.next_at, n.left_for_backend, n.refused, n.waiting FROM email.messages AS m
    CROSS JOIN LATERAL (
      SELECT min(r.next_try_at) FILTER (WHERE r.state = 'deferred') AS next_at,
        count(*) FILTER (WHERE r.state = 'sent' OR r.state = 'deferred' AND r.attempts > 0) AS left_for_backend,
        count(*) FILTER (WHERE r.state = 'failed') AS refused,
        count(*) FILTER (WHERE r.state = 'sending') AS in_progress,
        count(*) FILTER (WHERE r.state = 'waiting') AS waiting
      FROM email.recipients AS r WHERE r.message_id = m.id) AS n
    WHERE m.id = ANY (messages) AND n.in_progress = 0
  LOOP
    IF item.waiting > 0 THEN
      UPDATE email.messages AS m SET lease_until = NULL WHERE m.id = item.id AND m.lease_until IS NOT NULL;
      CONTINUE;
    END IF;
    UPDATE email.messages AS m SET lease_until = NULL,
      -- Without an attempt, the email still waits, and can be canceled.
      status = CASE WHEN item.left_for_backend > 0 THEN 'sent' WHEN item.next_at IS NOT NULL THEN 'scheduled' WHEN item.refused > 0 THEN 'failed' ELSE 'skipped' END
    WHERE m.id = item.id;
    IF item.next_at IS NULL THEN
      -- System mail can contain tokens, so its content is deleted after the last attempt. Only the file names of attachments are retained.
      UPDATE email.messages AS m SET html = NULL, text = NULL,
        attachments = (SELECT jsonb_agg(a - 'contentBase64') FROM jsonb_array_elements(m.attachments) AS a)
      WHERE m.id = item.id AND m.organization_id IS NULL;
      DELETE FROM messaging.outbox AS o WHERE o.id = item.id;
    ELSE
      INSERT INTO messaging.outbox AS o (id, type, available_at, job_queue, kind, lane, payload)
      VALUES (item.id, 'email.due', item.next_at, 'email-api.send',
        messaging.job_kind(CASE WHEN item.campaign_id IS NULL THEN 'bulk' ELSE 'campaign' END), messaging.job_lane(item.organization_id),
        messaging.event(
          item.id, 'email.due', messaging.rfc3339(item.next_at), item.organization_id, item.workspace_id, item.correlation_id,
          json_build_object('messageId', item.id, 'kind', CASE WHEN item.campaign_id IS NULL THEN 'bulk' ELSE 'campaign' END)))
      ON CONFLICT (id) DO UPDATE SET available_at = excluded.available_at, in_lane = false;
    END IF;
  END LOOP;
END $$;
