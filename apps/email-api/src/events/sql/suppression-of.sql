-- The suppression that stops an email of this scope to an address: one of every scope, or one of the scope of the email. Every check uses
-- this function, so that sends, quotes, campaigns and departures agree. Plain enough for the planner to inline it.
CREATE OR REPLACE FUNCTION email.suppression_of(organization uuid, recipient text, mail_scope text)
RETURNS SETOF email.suppressions LANGUAGE sql STABLE AS $$
  SELECT s.* FROM email.suppressions AS s
  WHERE s.organization_id = organization AND s.address_key = lower(recipient) AND s.scope IN ('all', mail_scope)
  LIMIT 1
$$;
