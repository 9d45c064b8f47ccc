-- Compares the rollups of the range with the counted figures of its recipients, corrects the rollups that
-- differ, and returns their number. `since` and `before` must be boundaries of eight-week rollups.
CREATE OR REPLACE FUNCTION analytics.repair_email(since timestamptz, before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET jit = off AS $$
#variable_conflict use_column
DECLARE
  repaired bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('analytics.email'));
  WITH expected AS MATERIALIZED (
    SELECT c.organization_id, d.dimension, g.grain, analytics.start_of(g.grain, c.at) AS at, c.workspace_id, d.key,
      sum(c.accepted) AS accepted, sum(c.sent) AS sent, sum(c.delivered) AS delivered, sum(c.opened) AS opened,
      sum(c.unique_opens) AS unique_opens, sum(c.machine_opens) AS machine_opens, sum(c.clicked) AS clicked,
      sum(c.unique_clicks) AS unique_clicks, sum(c.bounced) AS bounced, sum(c.complained) AS complained,
      sum(c.unsubscribed) AS unsubscribed
    FROM analytics.email_counted AS c
    CROSS JOIN LATERAL (
      VALUES ('total', ''), ('domain', coalesce(c.domain, '')), ('sender', coalesce(c.sender, '')), ('template_id',
        coalesce(c.template_id::text, '')), ('campaign_id', coalesce(c.campaign_id::text, ''))
      UNION ALL SELECT DISTINCT 'tag', t.tag FROM unnest(CASE WHEN c.tags = '{}' THEN '{""}' ELSE c.tags END) AS t (tag)
    ) AS d (dimension, key)
    CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    WHERE c.at >= since AND c.at < before
    GROUP BY 1, 2, 3, 4, 5, 6
  ), recorded AS MATERIALIZED (
    SELECT r.* FROM analytics.email_rollups AS r WHERE r.at >= since AND r.at < before
  ), repairs AS (
    INSERT INTO analytics.email_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, accepted, sent,
      delivered, opened, unique_opens, machine_opens, clicked, unique_clicks, bounced, complained, unsubscribed)
    SELECT organization_id, dimension, grain, at, workspace_id, key, coalesce(e.accepted, 0), coalesce(e.sent, 0),
      coalesce(e.delivered, 0), coalesce(e.opened, 0), coalesce(e.unique_opens, 0), coalesce(e.machine_opens, 0),
      coalesce(e.clicked, 0), coalesce(e.unique_clicks, 0), coalesce(e.bounced, 0), coalesce(e.complained, 0),
      coalesce(e.unsubscribed, 0)
    FROM expected AS e FULL JOIN recorded AS r USING (organization_id, dimension, grain, at, workspace_id, key)
    WHERE coalesce(e.accepted, 0) <> coalesce(r.accepted, 0) OR coalesce(e.sent, 0) <> coalesce(r.sent, 0)
      OR coalesce(e.delivered, 0) <> coalesce(r.delivered, 0) OR coalesce(e.opened, 0) <> coalesce(r.opened, 0)
      OR coalesce(e.unique_opens, 0) <> coalesce(r.unique_opens, 0)
      OR coalesce(e.machine_opens, 0) <> coalesce(r.machine_opens, 0) OR coalesce(e.clicked, 0) <> coalesce(r.clicked, 0)
      OR coalesce(e.unique_clicks, 0) <> coalesce(r.unique_clicks, 0) OR coalesce(e.bounced, 0) <> coalesce(r.bounced, 0)
      OR coalesce(e.complained, 0) <> coalesce(r.complained, 0) OR coalesce(e.unsubscribed, 0) <> coalesce(r.unsubscribed, 0)
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET accepted = excluded.accepted,
      sent = excluded.sent, delivered = excluded.delivered, opened = excluded.opened, unique_opens = excluded.unique_opens,
      machine_opens = excluded.machine_opens, clicked = excluded.clicked, unique_clicks = excluded.unique_clicks,
      bounced = excluded.bounced, complained = excluded.complained, unsubscribed = excluded.unsubscribed
    RETURNING 1
  )
  SELECT count(*) INTO repaired FROM repairs;
  RETURN repaired;
END $$;
