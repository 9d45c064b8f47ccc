CREATE TYPE sms.receipt AS (
  carrier text,
  upstream_id text,
  state text,
  error_code text,
  done_at timestamptz,
  -- Optional: now(), if the receipt is from a process of an older release.
  received_at timestamptz,
  -- Optional: the message of the part. By default the newest message with the id, because carriers reuse ids.
  message_id uuid
);
