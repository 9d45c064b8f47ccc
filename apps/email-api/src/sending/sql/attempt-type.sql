-- The outcome of one attempt. Names and order of the columns match `AttemptRecord`.
CREATE TYPE email.attempt AS (
  message_id uuid,
  position smallint,
  outcome text,
  copies smallint,
  event_id uuid,
  error text,
  suppresses boolean,
  dead_domain boolean,
  next_try_at timestamptz,
  at timestamptz,
  mail_token text
);
