-- Advances the clock of a test organization: moves all its times into the past, so that what was due later is due now. Each schema moves its
-- own times with its function `advance_clock`. Returns the seconds of all calls together.
--
-- Runs with the privileges of its owner, because the service that calls it may not change the messages of others. It refuses live organizations.
CREATE OR REPLACE FUNCTION tenancy.advance_clock(organization uuid, by interval)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  owner text;
  seconds integer;
BEGIN
  IF by <= interval '0' THEN
    RAISE EXCEPTION 'a clock only goes forward';
  END IF;
  UPDATE tenancy.organizations AS o SET test_clock_seconds = o.test_clock_seconds + extract(epoch FROM by)::integer
  WHERE o.id = organization AND o.test_of IS NOT NULL
  RETURNING o.test_clock_seconds INTO seconds;
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is not a test organization', organization;
  END IF;
  FOR owner IN
    SELECT n.nspname::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE p.proname = 'advance_clock' AND n.nspname <> 'tenancy' AND p.pronargs = 2
    ORDER BY n.nspname
  LOOP
    EXECUTE format('SELECT %I.advance_clock($1, $2)', owner) USING organization, by;
  END LOOP;
  RETURN seconds;
END $$;
