-- Brings the rollups up to date with the conversations of these ids and returns how many of them had changed. The
-- counted figures of each conversation are stored: the new figures are added and those counted before are subtracted. A
-- repeated, late or reordered event therefore changes nothing that is counted already. One lock serializes the
-- counting, so that no conversations are counted twice.
CREATE OR REPLACE FUNCTION analytics.count_bots(ids uuid[]) RETURNS bigint
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  total bigint;
BEGIN
  IF coalesce(cardinality(ids), 0) = 0 THEN
    RETURN 0::bigint;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('analytics.bots'));
  -- A single statement uses one snapshot, so the figures added to the rollups equal the stored ones.
  WITH fresh AS MATERIALIZED (
    SELECT f.* FROM analytics.current_bots(ids) AS f
    WHERE f.at > now() - interval '790 days'
  ), known AS MATERIALIZED (
    SELECT k.* FROM analytics.bots_counted AS k WHERE k.id = ANY (ids)
  ), changed AS MATERIALIZED (
    SELECT f.* FROM fresh AS f LEFT JOIN known AS k ON k.id = f.id
    WHERE CASE WHEN k.id IS NULL THEN f.conversations <> 0 OR f.messages <> 0 OR f.handoffs <> 0 OR f.leads <> 0
      ELSE f IS DISTINCT FROM k END
  ), stored AS (
    INSERT INTO analytics.bots_counted
    SELECT f.* FROM changed AS f
    ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, workspace_id = excluded.workspace_id,
      at = excluded.at, conversations = excluded.conversations, messages = excluded.messages, handoffs = excluded.handoffs,
      leads = excluded.leads
  ), changes AS (
    SELECT f.*, 1 AS sign FROM changed AS f
    UNION ALL SELECT k.*, -1 FROM known AS k JOIN changed AS f ON k.id = f.id
  ), keyed AS MATERIALIZED (
    SELECT c.organization_id, c.workspace_id, c.at, d.dimension, d.key, sum(c.sign * c.conversations) AS conversations,
      sum(c.sign * c.messages) AS messages, sum(c.sign * c.handoffs) AS handoffs, sum(c.sign * c.leads) AS leads
    FROM changes AS c
    CROSS JOIN LATERAL (VALUES ('total', '')) AS d (dimension, key)
    GROUP BY c.organization_id, c.workspace_id, c.at, d.dimension, d.key
  ), rolled AS (
    INSERT INTO analytics.bots_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, conversations, messages,
      handoffs, leads)
    SELECT k.organization_id, k.dimension, g.grain, analytics.start_of(g.grain, k.at) AS start, k.workspace_id, k.key,
      sum(k.conversations), sum(k.messages), sum(k.handoffs), sum(k.leads)
    FROM keyed AS k CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    GROUP BY k.organization_id, k.dimension, g.grain, start, k.workspace_id, k.key
    HAVING sum(k.conversations) <> 0 OR sum(k.messages) <> 0 OR sum(k.handoffs) <> 0 OR sum(k.leads) <> 0
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET conversations = r.conversations + excluded.conversations,
      messages = r.messages + excluded.messages, handoffs = r.handoffs + excluded.handoffs, leads = r.leads + excluded.leads
  )
  SELECT count(*) INTO total FROM changed;
  RETURN total;
END $$;
