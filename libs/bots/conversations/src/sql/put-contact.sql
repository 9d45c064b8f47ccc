-- Finds or creates the contact of a conversation from the given details: the contact with that email address; else, of the contacts
-- without an email address, the one with that phone number; else the contact of the conversation; else a new one. Visitors are not
-- authenticated: their details fill only empty fields of an existing contact. The submission keeps everything that was given.
CREATE OR REPLACE FUNCTION bots.put_contact(organization uuid, workspace uuid, known uuid, details jsonb, at timestamptz)
RETURNS uuid
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  given_email text := details->>'email';
  given_phone text := details->>'phone';
  found uuid;
BEGIN
  IF given_email IS NOT NULL THEN
    SELECT c.id INTO found FROM bots.contacts AS c
    WHERE c.workspace_id = workspace AND c.email = given_email AND c.email IS NOT NULL;
  END IF;
  IF found IS NULL AND given_phone IS NOT NULL THEN
    SELECT c.id INTO found FROM bots.contacts AS c
    WHERE c.workspace_id = workspace AND c.phone = given_phone AND c.phone IS NOT NULL
      AND (given_email IS NULL OR c.email IS NULL)
    ORDER BY c.id LIMIT 1;
  END IF;
  IF found IS NULL THEN
    SELECT c.id INTO found FROM bots.contacts AS c
    WHERE c.id = known AND (given_email IS NULL OR c.email IS NULL);
  END IF;
  IF found IS NULL THEN
    INSERT INTO bots.contacts (id, organization_id, workspace_id, name, email, phone, created_at, updated_at)
    VALUES ((details->>'id')::uuid, organization, workspace, details->>'name', given_email, given_phone, at, at)
    RETURNING id INTO found;
  ELSE
    UPDATE bots.contacts AS c SET name = coalesce(c.name, details->>'name'), email = coalesce(c.email, given_email),
      phone = coalesce(c.phone, given_phone), updated_at = at
    WHERE c.id = found AND (c.name IS NULL AND details->>'name' IS NOT NULL OR c.email IS NULL AND given_email IS NOT NULL
      OR c.phone IS NULL AND given_phone IS NOT NULL);
  END IF;
  RETURN found;
END $$;
