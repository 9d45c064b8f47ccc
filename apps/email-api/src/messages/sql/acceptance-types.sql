-- One email to accept, and its recipients. Names and order of the columns match `AcceptanceRow`.
CREATE TYPE email.acceptance AS (
    ord integer,
    id uuid,
    entry_id uuid,
    organization_id uuid,
    workspace_id uuid,
    domain_id uuid,
    from_address text,
    from_name text,
    reply_to text[],
    headers jsonb,
    subject text,
    html text,
    text text,
    attachments jsonb,
    track_opens boolean,
    track_clicks boolean,
    recipients json,
    scheduled_at timestamptz,
    due_at timestamptz,
    lease_ms integer,
    created_at timestamptz,
    correlation_id text,
    template_id uuid,
    tags text[],
    reference text,
    caller_id uuid,
    endpoint text,
    idempotency_key text,
    fingerprint text
  );

CREATE TYPE email.accepted_recipient AS (ord integer, position smallint, address text, skipped boolean);
