-- Returns the scope that an unsubscribe from an email of this scope suppresses. Transactional emails cannot be unsubscribed from, so an
-- unsubscribe link in such an email suppresses marketing.
CREATE OR REPLACE FUNCTION email.unsubscribed_scope(mail_scope text)
RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT CASE mail_scope WHEN 'transactional' THEN 'marketing' ELSE mail_scope END $$;
