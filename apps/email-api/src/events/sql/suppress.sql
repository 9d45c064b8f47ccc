-- Adds an address to the organization's suppressions of a scope. The reason 'complained' replaces every other reason.
CREATE OR REPLACE FUNCTION email.suppress(organization uuid, dead text, suppressed_scope text, why text, message uuid)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO email.suppressions AS s (organization_id, address_key, scope, address, reason, message_id)
  VALUES (organization, lower(dead), suppressed_scope, dead, why, message)
  ON CONFLICT (organization_id, address_key, scope) DO UPDATE SET reason = excluded.reason, message_id = excluded.message_id
    WHERE excluded.reason = 'complained' AND s.reason <> 'complained'
$$;
