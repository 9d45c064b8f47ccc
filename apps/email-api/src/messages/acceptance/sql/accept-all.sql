-- Accepts all emails of a batch or none. Raises HG001 if the credits do not cover the batch.
CREATE OR REPLACE FUNCTION email.accept_all(batch json)
RETURNS TABLE (ord integer, skipped smallint[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  accepted record;
BEGIN
  FOR accepted IN SELECT a.ord, a.outcome, a.skipped FROM email.accept(batch) AS a LOOP
    IF accepted.outcome <> 'posted' THEN RAISE EXCEPTION USING ERRCODE = 'HG001', MESSAGE = 'insufficient'; END IF;
    ord := accepted.ord;
    skipped := accepted.skipped;
    RETURN NEXT;
  END LOOP;
END $$;
