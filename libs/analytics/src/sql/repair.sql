-- Compares the rollups of the range with the counted figures of its entries, corrects the rollups that differ, and returns
-- their number. `since` and `before` must be boundaries of eight-week rollups.
CREATE OR REPLACE FUNCTION analytics.repair_{source}(since timestamptz, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  repaired bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('analytics.{source}'));
  WITH expected AS MATERIALIZED (
    SELECT c.organization_id, d.dimension, g.grain, analytics.start_of(g.grain, c.at) AS at, c.workspace_id, d.key, {countedSums}
    FROM analytics.{source}_counted AS c
    CROSS JOIN LATERAL ({keys}) AS d (dimension, key)
    CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE c.at >= since AND c.at < before
    GROUP BY 1, 2, 3, 4, 5, 6
  ), recorded AS MATERIALIZED (
    SELECT r.* FROM analytics.{source}_rollups AS r WHERE r.at >= since AND r.at < before
  ), repairs AS (
    INSERT INTO analytics.{source}_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, {figures})
    SELECT organization_id, dimension, grain, at, workspace_id, key, {expectedFigures}
    FROM expected AS e FULL JOIN recorded AS r USING (organization_id, dimension, grain, at, workspace_id, key)
    WHERE {differs}
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET {replacedFigures}
    RETURNING 1
  )
  SELECT count(*) INTO repaired FROM repairs;
{repairLatencies}  RETURN repaired;
END $$;
