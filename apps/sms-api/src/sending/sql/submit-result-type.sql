CREATE TYPE sms.submit_result AS (
  id uuid,
  outcome text,
  carrier text,
  upstream_ids text[],
  error text,
  at timestamptz,
  -- Optional: the submits that were not accepted, in the form that messaging.add_attempt stores.
  attempts json
);
