-- Creates the partition of one week, whose ids lie between `from_id` and `until_id` (exclusive), unless it exists. Inserts leave
-- `100 - fill_percent` of each page to updates.
CREATE OR REPLACE FUNCTION partitions.create_week(
  parent regclass, week integer, from_id uuid, until_id uuid, fill_percent integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  PERFORM partitions.require_maintainer(parent);
  EXECUTE format(
    'CREATE TABLE IF NOT EXISTS %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)
     WITH (fillfactor = %s, autovacuum_vacuum_scale_factor = 0.05)',
    partitions.week_name(parent, week), parent, from_id, until_id, fill_percent);
END $$;
