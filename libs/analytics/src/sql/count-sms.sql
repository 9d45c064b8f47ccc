-- Brings the rollups up to date with the messages of these ids and returns how many of them had changed. The counted
-- figures of each message are stored: the new figures are added and those counted before are subtracted. A repeated,
-- late or reordered event therefore changes nothing that is counted already. One lock serializes the counting, so that
-- no messages are counted twice.
CREATE OR REPLACE FUNCTION analytics.count_sms(ids uuid[]) RETURNS bigint
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  total bigint;
BEGIN
  IF coalesce(cardinality(ids), 0) = 0 THEN
    RETURN 0::bigint;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('analytics.sms'));
  -- A single statement uses one snapshot, so the figures added to the rollups equal the stored ones.
  WITH fresh AS MATERIALIZED (
    SELECT f.* FROM analytics.current_sms(ids) AS f
    WHERE f.at > now() - interval '790 days'
  ), known AS MATERIALIZED (
    SELECT k.* FROM analytics.sms_counted AS k WHERE k.id = ANY (ids)
  ), changed AS MATERIALIZED (
    SELECT f.* FROM fresh AS f LEFT JOIN known AS k ON k.id = f.id
    WHERE CASE WHEN k.id IS NULL THEN f.accepted <> 0 OR f.sent <> 0 OR f.delivered <> 0 OR f.failed <> 0 OR f.segments <> 0
      OR f.credits <> 0
      ELSE f IS DISTINCT FROM k END
  ), stored AS (
    INSERT INTO analytics.sms_counted
    SELECT f.* FROM changed AS f
    ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, workspace_id = excluded.workspace_id,
      at = excluded.at, country = excluded.country, sender_id = excluded.sender_id, template_id = excluded.template_id,
      campaign_id = excluded.campaign_id, error = excluded.error, latency = excluded.latency, accepted = excluded.accepted,
      sent = excluded.sent, delivered = excluded.delivered, failed = excluded.failed, segments = excluded.segments,
      credits = excluded.credits
  ), changes AS (
    SELECT f.*, 1 AS sign FROM changed AS f
    UNION ALL SELECT k.*, -1 FROM known AS k JOIN changed AS f ON k.id = f.id
  ), keyed AS MATERIALIZED (
    SELECT c.organization_id, c.workspace_id, c.at, d.dimension, d.key, c.latency, sum(c.sign * c.accepted) AS accepted,
      sum(c.sign * c.sent) AS sent, sum(c.sign * c.delivered) AS delivered, sum(c.sign * c.failed) AS failed,
      sum(c.sign * c.segments) AS segments, sum(c.sign * c.credits) AS credits
    FROM changes AS c
    CROSS JOIN LATERAL (VALUES ('total', ''), ('country', coalesce(c.country, '')),
      ('sender_id', coalesce(c.sender_id::text, '')), ('template_id', coalesce(c.template_id::text, '')),
      ('campaign_id', coalesce(c.campaign_id::text, '')), ('error', coalesce(c.error, ''))) AS d (dimension, key)
    GROUP BY c.organization_id, c.workspace_id, c.at, d.dimension, d.key, c.latency
  ), rolled AS (
    INSERT INTO analytics.sms_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, accepted, sent, delivered,
      failed, segments, credits)
    SELECT k.organization_id, k.dimension, g.grain, analytics.start_of(g.grain, k.at) AS start, k.workspace_id, k.key,
      sum(k.accepted), sum(k.sent), sum(k.delivered), sum(k.failed), sum(k.segments), sum(k.credits)
    FROM keyed AS k CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    GROUP BY k.organization_id, k.dimension, g.grain, start, k.workspace_id, k.key
    HAVING sum(k.accepted) <> 0 OR sum(k.sent) <> 0 OR sum(k.delivered) <> 0 OR sum(k.failed) <> 0 OR sum(k.segments) <> 0
      OR sum(k.credits) <> 0
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET accepted = r.accepted + excluded.accepted,
      sent = r.sent + excluded.sent, delivered = r.delivered + excluded.delivered, failed = r.failed + excluded.failed,
      segments = r.segments + excluded.segments, credits = r.credits + excluded.credits
  ), timed AS (
    INSERT INTO analytics.sms_latencies AS r (organization_id, dimension, grain, at, workspace_id, key, bucket, messages)
    SELECT k.organization_id, k.dimension, g.grain, analytics.start_of(g.grain, k.at) AS start, k.workspace_id, k.key, k.latency,
      sum(k.delivered)
    FROM keyed AS k CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE k.latency IS NOT NULL
    GROUP BY k.organization_id, k.dimension, g.grain, start, k.workspace_id, k.key, k.latency HAVING sum(k.delivered) <> 0
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key, bucket)
    DO UPDATE SET messages = r.messages + excluded.messages
  )
  SELECT count(*) INTO total FROM changed;
  RETURN total;
END $$;
