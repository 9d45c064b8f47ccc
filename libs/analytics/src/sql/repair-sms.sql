-- Compares the rollups of the range with the counted figures of its messages, corrects the rollups that
-- differ, and returns their number. `since` and `before` must be boundaries of eight-week rollups.
CREATE OR REPLACE FUNCTION analytics.repair_sms(since timestamptz, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  repaired bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('analytics.sms'));
  WITH expected AS MATERIALIZED (
    SELECT c.organization_id, d.dimension, g.grain, analytics.start_of(g.grain, c.at) AS at, c.workspace_id, d.key,
      sum(c.accepted) AS accepted, sum(c.sent) AS sent, sum(c.delivered) AS delivered, sum(c.failed) AS failed,
      sum(c.segments) AS segments, sum(c.credits) AS credits
    FROM analytics.sms_counted AS c
    CROSS JOIN LATERAL (VALUES ('total', ''), ('country', coalesce(c.country, '')),
      ('sender_id', coalesce(c.sender_id::text, '')), ('template_id', coalesce(c.template_id::text, '')),
      ('campaign_id', coalesce(c.campaign_id::text, '')), ('error', coalesce(c.error, ''))) AS d (dimension, key)
    CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE c.at >= since AND c.at < before
    GROUP BY 1, 2, 3, 4, 5, 6
  ), recorded AS MATERIALIZED (
    SELECT r.* FROM analytics.sms_rollups AS r WHERE r.at >= since AND r.at < before
  ), repairs AS (
    INSERT INTO analytics.sms_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, accepted, sent, delivered,
      failed, segments, credits)
    SELECT organization_id, dimension, grain, at, workspace_id, key, coalesce(e.accepted, 0), coalesce(e.sent, 0),
      coalesce(e.delivered, 0), coalesce(e.failed, 0), coalesce(e.segments, 0), coalesce(e.credits, 0)
    FROM expected AS e FULL JOIN recorded AS r USING (organization_id, dimension, grain, at, workspace_id, key)
    WHERE coalesce(e.accepted, 0) <> coalesce(r.accepted, 0) OR coalesce(e.sent, 0) <> coalesce(r.sent, 0)
      OR coalesce(e.delivered, 0) <> coalesce(r.delivered, 0) OR coalesce(e.failed, 0) <> coalesce(r.failed, 0)
      OR coalesce(e.segments, 0) <> coalesce(r.segments, 0) OR coalesce(e.credits, 0) <> coalesce(r.credits, 0)
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET accepted = excluded.accepted,
      sent = excluded.sent, delivered = excluded.delivered, failed = excluded.failed, segments = excluded.segments,
      credits = excluded.credits
    RETURNING 1
  )
  SELECT count(*) INTO repaired FROM repairs;

  WITH expected AS MATERIALIZED (
    SELECT c.organization_id, d.dimension, g.grain, analytics.start_of(g.grain, c.at) AS at, c.workspace_id, d.key,
      c.latency AS bucket, sum(c.delivered) AS messages
    FROM analytics.sms_counted AS c
    CROSS JOIN LATERAL (VALUES ('total', ''), ('country', coalesce(c.country, '')),
      ('sender_id', coalesce(c.sender_id::text, '')), ('template_id', coalesce(c.template_id::text, '')),
      ('campaign_id', coalesce(c.campaign_id::text, '')), ('error', coalesce(c.error, ''))) AS d (dimension, key)
    CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE c.at >= since AND c.at < before AND c.latency IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), recorded AS MATERIALIZED (
    SELECT r.* FROM analytics.sms_latencies AS r WHERE r.at >= since AND r.at < before
  ), repairs AS (
    INSERT INTO analytics.sms_latencies AS r (organization_id, dimension, grain, at, workspace_id, key, bucket, messages)
    SELECT organization_id, dimension, grain, at, workspace_id, key, bucket, coalesce(e.messages, 0)
    FROM expected AS e FULL JOIN recorded AS r USING (organization_id, dimension, grain, at, workspace_id, key, bucket)
    WHERE coalesce(e.messages, 0) <> coalesce(r.messages, 0)
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key, bucket) DO UPDATE SET messages = excluded.messages
    RETURNING 1
  )
  SELECT repaired + count(*) INTO repaired FROM repairs;
  RETURN repaired;
END $$;
