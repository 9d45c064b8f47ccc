-- The figures of ledger entries, in the columns of credits_counted. Charges and refunds are positive; transfers and
-- adjustments are signed.
CREATE OR REPLACE FUNCTION analytics.current_credits(ids uuid[]) RETURNS SETOF analytics.credits_counted
LANGUAGE sql STABLE AS $$
  SELECT l.id, w.organization_id, l.workspace_id, analytics.start_of('quarter', l.created_at), l.credit_type,
    CASE WHEN l.kind = 'charge' THEN -l.amount ELSE 0 END, CASE WHEN l.kind = 'refund' THEN l.amount ELSE 0 END,
    CASE WHEN l.kind = 'topup' THEN l.amount ELSE 0 END, CASE WHEN l.kind = 'transfer' THEN l.amount ELSE 0 END,
    CASE WHEN l.kind = 'adjustment' THEN l.amount ELSE 0 END
  FROM credits.ledger AS l JOIN tenancy.workspaces AS w ON w.id = l.workspace_id
  WHERE l.id = ANY (ids)
$$;
