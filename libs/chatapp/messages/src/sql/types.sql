-- The rows that the functions take as JSON. Names of the columns match `AcceptanceRow`, `AnswerRow`, `StatusRow` and `InboundRow`.
CREATE TYPE chatapp.acceptance AS (
  ord integer,
  id uuid,
  entry_id uuid,
  organization_id uuid,
  workspace_id uuid,
  account_id uuid,
  recipient text,
  sender text,
  type text,
  template_name text,
  category text,
  price integer,
  currency text,
  upstream_number text,
  is_free boolean,
  allowance_month date,
  monthly_limit integer,
  correlation_id text,
  key_id uuid,
  client_address text,
  caller_id uuid,
  endpoint text,
  idempotency_key text,
  fingerprint text
);

CREATE TYPE chatapp.answer AS (
  ord integer,
  id uuid,
  entry_id uuid,
  upstream_id text,
  upstream_number text,
  error text,
  error_code integer,
  is_presumed boolean,
  caller_id uuid,
  endpoint text,
  idempotency_key text,
  answer_status smallint,
  answer json
);

CREATE TYPE chatapp.failure AS (id uuid, entry_id uuid, error text, error_code integer, is_presumed boolean);

CREATE TYPE chatapp.status AS (
  upstream_id text,
  callback_id uuid,
  status text,
  occurred_at timestamptz,
  error text,
  error_code integer
);

CREATE TYPE chatapp.inbound AS (
  ord integer,
  id uuid,
  upstream_id text,
  phone_number_id text,
  sender text,
  recipient text,
  type text,
  occurred_at timestamptz,
  media_id text,
  keyword_status text,
  keyword_source text,
  payload jsonb,
  keyword_text text
);
