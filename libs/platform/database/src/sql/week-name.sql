-- The name of the partition of one week: that of the table, followed by `_w` and the number of the week since 1970.
CREATE OR REPLACE FUNCTION partitions.week_name(parent regclass, week integer) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
  SELECT format('%I.%I', n.nspname, c.relname || '_w' || week)
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = parent
$$;
