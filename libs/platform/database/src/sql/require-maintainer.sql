-- Raises an error unless the caller may maintain the partitions of a table, which the privilege TRUNCATE means.
-- The functions that call it run as the owner of the tables, so `current_user` is not the caller.
CREATE OR REPLACE FUNCTION partitions.require_maintainer(parent regclass) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog AS $$
DECLARE
  assumed text := current_setting('role');
  caller text := CASE WHEN assumed = 'none' THEN session_user ELSE assumed END;
BEGIN
  IF NOT has_table_privilege(caller, parent, 'TRUNCATE') THEN
    RAISE insufficient_privilege USING MESSAGE = format('%s must not maintain the partitions of %s', caller, parent);
  END IF;
END $$;
