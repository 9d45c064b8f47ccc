, timed AS (
    INSERT INTO analytics.{source}_latencies AS r (organization_id, dimension, grain, at, workspace_id, key, bucket, messages)
    SELECT k.organization_id, k.dimension, g.grain, analytics.start_of(g.grain, k.at) AS start, k.workspace_id, k.key, k.latency,
      sum(k.delivered)
    FROM keyed AS k CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE k.latency IS NOT NULL
    GROUP BY k.organization_id, k.dimension, g.grain, start, k.workspace_id, k.key, k.latency HAVING sum(k.delivered) <> 0
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key, bucket)
    DO UPDATE SET messages = r.messages + excluded.messages
  )
