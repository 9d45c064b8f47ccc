-- Names and order of the columns match `EventRow`.
CREATE TYPE email.event AS (
  ord integer,
  id uuid,
  message_id uuid,
  position smallint,
  type text,
  url text,
  reason text,
  occurred_at timestamptz,
  suppresses boolean,
  suppress_after_days smallint,
  most smallint,
  mail_token text
);
