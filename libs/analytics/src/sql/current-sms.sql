-- The current figures of SMS messages, in the columns of sms_counted. They count in the quarter hour of their
-- acceptance, even if their receipts arrive later. Credits are net of refunds. The bucket of the latency is the
-- smallest b with latency <= 2^(b/4) ms.
CREATE OR REPLACE FUNCTION analytics.current_sms(ids uuid[]) RETURNS SETOF analytics.sms_counted
LANGUAGE sql STABLE AS $$
  SELECT m.id, m.organization_id, m.workspace_id, analytics.start_of('quarter', m.created_at), m.country, m.sender_id,
    m.template_id, m.campaign_id, CASE WHEN m.status = 'failed' THEN left(coalesce(m.last_error, 'unknown'), 200) END,
    CASE WHEN m.status = 'delivered' AND m.sent_at IS NOT NULL AND m.finished_at IS NOT NULL THEN
      ceil(4 * log(2, greatest(1, extract(epoch FROM m.finished_at - m.sent_at) * 1000)))::smallint END,
    1, (m.sent_at IS NOT NULL)::integer, (m.status = 'delivered')::integer, (m.status = 'failed')::integer,
    m.segments::integer,
    m.credits_cost - CASE WHEN m.status IN ('failed', 'canceled') THEN coalesce((
      SELECT l.amount FROM credits.ledger AS l WHERE l.reference = 'sms:' || m.id AND l.kind = 'refund'), 0) ELSE 0 END
  FROM sms.messages AS m WHERE m.id = ANY (ids)
$$;
