CREATE TYPE sms.receipt AS (
  carrier text,
  upstream_id text,
  state text,
  error_code text,
  done_at timestamptz
);
