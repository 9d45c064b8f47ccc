-- Moves the times of a test organization into the past; see tenancy.advance_clock. Times of leases stay, because they are those of running
-- processes.
CREATE OR REPLACE FUNCTION contacts.advance_clock(organization uuid, by interval)
RETURNS void LANGUAGE sql AS $$
  UPDATE contacts.contacts AS t SET
    created_at = t.created_at - by,
    updated_at = t.updated_at - by
  WHERE t.organization_id = organization;
  UPDATE contacts.imports AS t SET
    created_at = t.created_at - by,
    finished_at = t.finished_at - by
  WHERE t.organization_id = organization;
  UPDATE contacts.consents AS t SET
    occurred_at = t.occurred_at - by
  FROM contacts.contacts AS c
  WHERE c.organization_id = organization AND t.contact_id = c.id;
$$;
