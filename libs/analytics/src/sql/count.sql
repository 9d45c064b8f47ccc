-- Brings the rollups up to date with the entries of these ids and returns how many of them had changed. The counted figures of
-- each entry are stored: the new figures are added and those counted before are subtracted. A repeated, late or reordered event
-- therefore changes nothing that is counted already. One lock serializes the counting, so that no entries are counted twice.
CREATE OR REPLACE FUNCTION analytics.count_{source}(ids uuid[]) RETURNS bigint
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  total bigint;
BEGIN
  IF coalesce(cardinality(ids), 0) = 0 THEN
    RETURN 0::bigint;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('analytics.{source}'));
  -- A single statement uses one snapshot, so the figures added to the rollups equal the stored ones.
  WITH fresh AS MATERIALIZED (
    SELECT f.* FROM analytics.current_{source}(ids) AS f
    WHERE f.at > now() - interval '790 days'
  ), known AS MATERIALIZED (
    SELECT k.* FROM analytics.{source}_counted AS k WHERE k.id = ANY (ids)
  ), changed AS MATERIALIZED (
    SELECT f.* FROM fresh AS f LEFT JOIN known AS k ON {isSameEntry}
    WHERE CASE WHEN k.id IS NULL THEN {hasFigures} ELSE f IS DISTINCT FROM k END
  ), stored AS (
    INSERT INTO analytics.{source}_counted
    SELECT f.* FROM changed AS f
    ON CONFLICT ({identity}) DO UPDATE SET {replacedColumns}
  ), changes AS (
    SELECT f.*, 1 AS sign FROM changed AS f
    UNION ALL SELECT k.*, -1 FROM known AS k JOIN changed AS f ON {isSameEntry}
  ), keyed AS MATERIALIZED (
    SELECT c.organization_id, c.workspace_id, c.at, d.dimension, d.key, {latency}, {signedSums}
    FROM changes AS c CROSS JOIN LATERAL ({keys}) AS d (dimension, key)
    GROUP BY c.organization_id, c.workspace_id, c.at, d.dimension, d.key, {latency}
  ), rolled AS (
    INSERT INTO analytics.{source}_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, {figures})
    SELECT k.organization_id, k.dimension, g.grain, analytics.start_of(g.grain, k.at) AS start, k.workspace_id, k.key, {sums}
    FROM keyed AS k CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    GROUP BY k.organization_id, k.dimension, g.grain, start, k.workspace_id, k.key
    HAVING {hasSums}
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET {addedFigures}
  ){countLatencies}
  SELECT count(*) INTO total FROM changed;
  RETURN total;
END $$;
