CREATE TYPE sms.submit_result AS (
  id uuid,
  outcome text,
  carrier text,
  upstream_ids text[],
  error text,
  at timestamptz
);
