-- What an unsubscribe from an email of this scope applies to. Transactional emails cannot be unsubscribed from: their links stop marketing.
CREATE OR REPLACE FUNCTION email.unsubscribed_scope(mail_scope text)
RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT CASE mail_scope WHEN 'transactional' THEN 'marketing' ELSE mail_scope END $$;
