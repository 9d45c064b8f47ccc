-- Compares the rollups of the range with the counted figures of its messages, corrects the rollups that
-- differ, and returns their number. `since` and `before` must be boundaries of eight-week rollups.
CREATE OR REPLACE FUNCTION analytics.repair_chatapp(since timestamptz, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  repaired bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('analytics.chatapp'));
  WITH expected AS MATERIALIZED (
    SELECT c.organization_id, d.dimension, g.grain, analytics.start_of(g.grain, c.at) AS at, c.workspace_id, d.key,
      sum(c.accepted) AS accepted, sum(c.sent) AS sent, sum(c.delivered) AS delivered, sum(c.read) AS read,
      sum(c.failed) AS failed, sum(c.received) AS received, sum(c.credits) AS credits
    FROM analytics.chatapp_counted AS c
    CROSS JOIN LATERAL (VALUES ('total', '')) AS d (dimension, key)
    CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE c.at >= since AND c.at < before
    GROUP BY 1, 2, 3, 4, 5, 6
  ), recorded AS MATERIALIZED (
    SELECT r.* FROM analytics.chatapp_rollups AS r WHERE r.at >= since AND r.at < before
  ), repairs AS (
    INSERT INTO analytics.chatapp_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, accepted, sent,
      delivered, read, failed, received, credits)
    SELECT organization_id, dimension, grain, at, workspace_id, key, coalesce(e.accepted, 0), coalesce(e.sent, 0),
      coalesce(e.delivered, 0), coalesce(e.read, 0), coalesce(e.failed, 0), coalesce(e.received, 0), coalesce(e.credits, 0)
    FROM expected AS e FULL JOIN recorded AS r USING (organization_id, dimension, grain, at, workspace_id, key)
    WHERE coalesce(e.accepted, 0) <> coalesce(r.accepted, 0) OR coalesce(e.sent, 0) <> coalesce(r.sent, 0)
      OR coalesce(e.delivered, 0) <> coalesce(r.delivered, 0) OR coalesce(e.read, 0) <> coalesce(r.read, 0)
      OR coalesce(e.failed, 0) <> coalesce(r.failed, 0) OR coalesce(e.received, 0) <> coalesce(r.received, 0)
      OR coalesce(e.credits, 0) <> coalesce(r.credits, 0)
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET accepted = excluded.accepted,
      sent = excluded.sent, delivered = excluded.delivered, read = excluded.read, failed = excluded.failed,
      received = excluded.received, credits = excluded.credits
    RETURNING 1
  )
  SELECT count(*) INTO repaired FROM repairs;
  RETURN repaired;
END $$;
