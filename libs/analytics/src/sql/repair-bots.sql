-- Compares the rollups of the range with the counted figures of its conversations, corrects the rollups that
-- differ, and returns their number. `since` and `before` must be boundaries of eight-week rollups.
CREATE OR REPLACE FUNCTION analytics.repair_bots(since timestamptz, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  repaired bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('analytics.bots'));
  WITH expected AS MATERIALIZED (
    SELECT c.organization_id, d.dimension, g.grain, analytics.start_of(g.grain, c.at) AS at, c.workspace_id, d.key,
      sum(c.conversations) AS conversations, sum(c.messages) AS messages, sum(c.handoffs) AS handoffs, sum(c.leads) AS leads
    FROM analytics.bots_counted AS c
    CROSS JOIN LATERAL (VALUES ('total', '')) AS d (dimension, key)
    CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE c.at >= since AND c.at < before
    GROUP BY 1, 2, 3, 4, 5, 6
  ), recorded AS MATERIALIZED (
    SELECT r.* FROM analytics.bots_rollups AS r WHERE r.at >= since AND r.at < before
  ), repairs AS (
    INSERT INTO analytics.bots_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, conversations, messages,
      handoffs, leads)
    SELECT organization_id, dimension, grain, at, workspace_id, key, coalesce(e.conversations, 0), coalesce(e.messages, 0),
      coalesce(e.handoffs, 0), coalesce(e.leads, 0)
    FROM expected AS e FULL JOIN recorded AS r USING (organization_id, dimension, grain, at, workspace_id, key)
    WHERE coalesce(e.conversations, 0) <> coalesce(r.conversations, 0) OR coalesce(e.messages, 0) <> coalesce(r.messages, 0)
      OR coalesce(e.handoffs, 0) <> coalesce(r.handoffs, 0) OR coalesce(e.leads, 0) <> coalesce(r.leads, 0)
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET conversations = excluded.conversations,
      messages = excluded.messages, handoffs = excluded.handoffs, leads = excluded.leads
    RETURNING 1
  )
  SELECT count(*) INTO repaired FROM repairs;
  RETURN repaired;
END $$;
