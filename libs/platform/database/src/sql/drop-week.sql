-- Drops the partition of one week with its rows.
CREATE OR REPLACE FUNCTION partitions.drop_week(parent regclass, week integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  PERFORM partitions.require_maintainer(parent);
  EXECUTE format('DROP TABLE IF EXISTS %s', partitions.week_name(parent, week));
END $$;
