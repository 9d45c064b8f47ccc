-- The outcome of one attempt. Names and order of the columns match `AttemptRecord`.
CREATE TYPE email.attempt AS (
  message_id uuid,
  position smallint,
  outcome text,
  copies smallint,
  event_id uuid,
  error text,
  suppresses boolean,
  suppress_after_days smallint,
  next_try_at timestamptz,
  at timestamptz,
  mail_token text
);
