-- Accepts all messages of a batch or none, and returns the balance after the charge. Raises HG001 with the balance as message if the
-- credits do not cover the batch, and HG002 if another request holds the idempotency key of the batch.
CREATE OR REPLACE FUNCTION sms.accept_all(batch json)
RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  accepted record;
BEGIN
  SELECT min(a.balance) AS lowest, bool_or(a.outcome = 'repeated') AS repeated, bool_or(a.outcome = 'insufficient') AS insufficient
  INTO accepted FROM sms.accept(batch) AS a;
  IF accepted.repeated THEN RAISE EXCEPTION USING ERRCODE = 'HG002', MESSAGE = 'repeated'; END IF;
  IF accepted.insufficient THEN RAISE EXCEPTION USING ERRCODE = 'HG001', MESSAGE = 'insufficient'; END IF;
  RETURN accepted.lowest;
END $$;
