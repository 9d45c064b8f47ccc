-- Brings the rollups up to date with the ledger entries of these ids and returns how many of them had changed. The
-- counted figures of each entry are stored: the new figures are added and those counted before are subtracted. A
-- repeated, late or reordered event therefore changes nothing that is counted already. One lock serializes the
-- counting, so that no ledger entries are counted twice.
CREATE OR REPLACE FUNCTION analytics.count_credits(ids uuid[]) RETURNS bigint
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  total bigint;
BEGIN
  IF coalesce(cardinality(ids), 0) = 0 THEN
    RETURN 0::bigint;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('analytics.credits'));
  -- A single statement uses one snapshot, so the figures added to the rollups equal the stored ones.
  WITH fresh AS MATERIALIZED (
    SELECT f.* FROM analytics.current_credits(ids) AS f
    WHERE f.at > now() - interval '790 days'
  ), known AS MATERIALIZED (
    SELECT k.* FROM analytics.credits_counted AS k WHERE k.id = ANY (ids)
  ), changed AS MATERIALIZED (
    SELECT f.* FROM fresh AS f LEFT JOIN known AS k ON k.id = f.id
    WHERE CASE WHEN k.id IS NULL THEN f.charged <> 0 OR f.refunded <> 0 OR f.topped_up <> 0 OR f.transferred <> 0
      OR f.adjusted <> 0
      ELSE f IS DISTINCT FROM k END
  ), stored AS (
    INSERT INTO analytics.credits_counted
    SELECT f.* FROM changed AS f
    ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, workspace_id = excluded.workspace_id,
      at = excluded.at, credit_type = excluded.credit_type, charged = excluded.charged, refunded = excluded.refunded,
      topped_up = excluded.topped_up, transferred = excluded.transferred, adjusted = excluded.adjusted
  ), changes AS (
    SELECT f.*, 1 AS sign FROM changed AS f
    UNION ALL SELECT k.*, -1 FROM known AS k JOIN changed AS f ON k.id = f.id
  ), keyed AS MATERIALIZED (
    SELECT c.organization_id, c.workspace_id, c.at, d.dimension, d.key, sum(c.sign * c.charged) AS charged,
      sum(c.sign * c.refunded) AS refunded, sum(c.sign * c.topped_up) AS topped_up, sum(c.sign * c.transferred) AS transferred,
      sum(c.sign * c.adjusted) AS adjusted
    FROM changes AS c
    CROSS JOIN LATERAL (VALUES ('total', ''), ('credit_type', coalesce(c.credit_type, ''))) AS d (dimension, key)
    GROUP BY c.organization_id, c.workspace_id, c.at, d.dimension, d.key
  ), rolled AS (
    INSERT INTO analytics.credits_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, charged, refunded,
      topped_up, transferred, adjusted)
    SELECT k.organization_id, k.dimension, g.grain, analytics.start_of(g.grain, k.at) AS start, k.workspace_id, k.key,
      sum(k.charged), sum(k.refunded), sum(k.topped_up), sum(k.transferred), sum(k.adjusted)
    FROM keyed AS k CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    GROUP BY k.organization_id, k.dimension, g.grain, start, k.workspace_id, k.key
    HAVING sum(k.charged) <> 0 OR sum(k.refunded) <> 0 OR sum(k.topped_up) <> 0 OR sum(k.transferred) <> 0 OR sum(k.adjusted) <> 0
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET charged = r.charged + excluded.charged,
      refunded = r.refunded + excluded.refunded, topped_up = r.topped_up + excluded.topped_up,
      transferred = r.transferred + excluded.transferred, adjusted = r.adjusted + excluded.adjusted
  )
  SELECT count(*) INTO total FROM changed;
  RETURN total;
END $$;
