-- Returns the suppression that stops an email of this scope to an address: a suppression with the scope 'all' or with the scope of the
-- email. Sends, quotes, campaigns and workers use this function, so that their checks agree. The planner can inline it.
CREATE OR REPLACE FUNCTION email.suppression_of(organization uuid, recipient text, mail_scope text)
RETURNS SETOF email.suppressions LANGUAGE sql STABLE AS $$
  SELECT s.* FROM email.suppressions AS s
  WHERE s.organization_id = organization AND s.address_key = lower(recipient) AND s.scope IN ('all', mail_scope)
  LIMIT 1
$$;
