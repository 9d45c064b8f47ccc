-- Publishes the jobs of paid invoices again that have no receipt for `older_than`; see messaging.publish_again.
CREATE OR REPLACE FUNCTION billing.requeue_receipts(from_at timestamptz, older_than interval, started timestamptz, most integer)
RETURNS TABLE (requeued integer, next_at timestamptz, hold_at timestamptz, oldest_at timestamptz)
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  jobs json;
BEGIN
  WITH unfinished AS (
    SELECT i.id, i.organization_id, i.workspace_id, i.paid_at FROM billing.invoices AS i
    WHERE i.status = 'paid' AND i.paid_at >= least(from_at, now() - interval '30 days')
      AND NOT EXISTS (SELECT FROM billing.receipts AS r WHERE r.invoice_id = i.id)),
  chosen AS (SELECT u.* FROM unfinished AS u WHERE u.paid_at <= now() - older_than ORDER BY u.paid_at LIMIT 5 * most)
  SELECT (SELECT min(u.paid_at) FROM unfinished AS u), (
    SELECT json_agg(json_build_object(
      'id', c.id, 'due_at', c.paid_at, 'organization_id', c.organization_id, 'queue', 'billing-hook.receipts',
      'event', messaging.event(
        gen_random_uuid(), 'billing.receipt.due', messaging.rfc3339(c.paid_at), c.organization_id, c.workspace_id, NULL,
        json_build_object('workspaceId', c.workspace_id, 'invoiceId', c.id)))) FROM chosen AS c)
  INTO oldest_at, jobs;
  hold_at := oldest_at;
  next_at := NULL;
  requeued := CASE WHEN jobs IS NULL THEN 0
    ELSE messaging.publish_again('receipts', 'billing.receipt.due', 'invoiceId', older_than, started, most, jobs) END;
  RETURN NEXT;
END $$;
