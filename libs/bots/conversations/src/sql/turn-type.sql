-- Names of the columns match `TurnRow`.
CREATE TYPE bots.turn AS (
  ord integer,
  conversation_id uuid,
  start jsonb,
  expected_seq integer,
  expected_revision integer,
  at timestamptz,
  correlation_id text,
  client_address text,
  question jsonb,
  reply jsonb,
  state jsonb,
  is_handoff boolean,
  submission jsonb,
  contact jsonb,
  question_events json,
  reply_events json,
  endpoint text,
  idempotency_key text,
  fingerprint text
);
