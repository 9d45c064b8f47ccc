-- Compares the rollups of the range with the counted figures of its ledger entries, corrects the rollups that
-- differ, and returns their number. `since` and `before` must be boundaries of eight-week rollups.
CREATE OR REPLACE FUNCTION analytics.repair_credits(since timestamptz, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  repaired bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('analytics.credits'));
  WITH expected AS MATERIALIZED (
    SELECT c.organization_id, d.dimension, g.grain, analytics.start_of(g.grain, c.at) AS at, c.workspace_id, d.key,
      sum(c.charged) AS charged, sum(c.refunded) AS refunded, sum(c.topped_up) AS topped_up, sum(c.transferred) AS transferred,
      sum(c.adjusted) AS adjusted
    FROM analytics.credits_counted AS c
    CROSS JOIN LATERAL (VALUES ('total', ''), ('credit_type', coalesce(c.credit_type, ''))) AS d (dimension, key)
    CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE c.at >= since AND c.at < before
    GROUP BY 1, 2, 3, 4, 5, 6
  ), recorded AS MATERIALIZED (
    SELECT r.* FROM analytics.credits_rollups AS r WHERE r.at >= since AND r.at < before
  ), repairs AS (
    INSERT INTO analytics.credits_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, charged, refunded,
      topped_up, transferred, adjusted)
    SELECT organization_id, dimension, grain, at, workspace_id, key, coalesce(e.charged, 0), coalesce(e.refunded, 0),
      coalesce(e.topped_up, 0), coalesce(e.transferred, 0), coalesce(e.adjusted, 0)
    FROM expected AS e FULL JOIN recorded AS r USING (organization_id, dimension, grain, at, workspace_id, key)
    WHERE coalesce(e.charged, 0) <> coalesce(r.charged, 0) OR coalesce(e.refunded, 0) <> coalesce(r.refunded, 0)
      OR coalesce(e.topped_up, 0) <> coalesce(r.topped_up, 0) OR coalesce(e.transferred, 0) <> coalesce(r.transferred, 0)
      OR coalesce(e.adjusted, 0) <> coalesce(r.adjusted, 0)
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET charged = excluded.charged,
      refunded = excluded.refunded, topped_up = excluded.topped_up, transferred = excluded.transferred,
      adjusted = excluded.adjusted
    RETURNING 1
  )
  SELECT count(*) INTO repaired FROM repairs;
  RETURN repaired;
END $$;
