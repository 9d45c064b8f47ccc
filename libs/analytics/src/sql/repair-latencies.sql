  WITH expected AS MATERIALIZED (
    SELECT c.organization_id, d.dimension, g.grain, analytics.start_of(g.grain, c.at) AS at, c.workspace_id, d.key,
      c.latency AS bucket, sum(c.delivered) AS messages
    FROM analytics.{source}_counted AS c
    CROSS JOIN LATERAL ({keys}) AS d (dimension, key)
    CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE c.at >= since AND c.at < before AND c.latency IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), recorded AS MATERIALIZED (
    SELECT r.* FROM analytics.{source}_latencies AS r WHERE r.at >= since AND r.at < before
  ), repairs AS (
    INSERT INTO analytics.{source}_latencies AS r (organization_id, dimension, grain, at, workspace_id, key, bucket, messages)
    SELECT organization_id, dimension, grain, at, workspace_id, key, bucket, coalesce(e.messages, 0)
    FROM expected AS e FULL JOIN recorded AS r USING (organization_id, dimension, grain, at, workspace_id, key, bucket)
    WHERE coalesce(e.messages, 0) <> coalesce(r.messages, 0)
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key, bucket) DO UPDATE SET messages = excluded.messages
    RETURNING 1
  )
  SELECT repaired + count(*) INTO repaired FROM repairs;
