-- Brings the rollups up to date with the recipients of these ids and returns how many of them had changed. The counted
-- figures of each recipient are stored: the new figures are added and those counted before are subtracted. A repeated,
-- late or reordered event therefore changes nothing that is counted already. One lock serializes the counting, so that
-- no recipients are counted twice.
CREATE OR REPLACE FUNCTION analytics.count_email(ids uuid[]) RETURNS bigint
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  total bigint;
BEGIN
  IF coalesce(cardinality(ids), 0) = 0 THEN
    RETURN 0::bigint;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('analytics.email'));
  -- A single statement uses one snapshot, so the figures added to the rollups equal the stored ones.
  WITH fresh AS MATERIALIZED (
    SELECT f.* FROM analytics.current_email(ids) AS f
    WHERE f.at > now() - interval '790 days'
  ), known AS MATERIALIZED (
    SELECT k.* FROM analytics.email_counted AS k WHERE k.id = ANY (ids)
  ), changed AS MATERIALIZED (
    SELECT f.* FROM fresh AS f LEFT JOIN known AS k ON k.id = f.id AND k.position = f.position
    WHERE CASE WHEN k.id IS NULL THEN f.accepted <> 0 OR f.sent <> 0 OR f.delivered <> 0 OR f.opened <> 0 OR f.unique_opens <> 0
      OR f.machine_opens <> 0 OR f.clicked <> 0 OR f.unique_clicks <> 0 OR f.bounced <> 0 OR f.complained <> 0
      OR f.unsubscribed <> 0
      ELSE f IS DISTINCT FROM k END
  ), stored AS (
    INSERT INTO analytics.email_counted
    SELECT f.* FROM changed AS f
    ON CONFLICT (id, position) DO UPDATE SET organization_id = excluded.organization_id, workspace_id = excluded.workspace_id,
      at = excluded.at, domain = excluded.domain, sender = excluded.sender, template_id = excluded.template_id,
      campaign_id = excluded.campaign_id, tags = excluded.tags, accepted = excluded.accepted, sent = excluded.sent,
      delivered = excluded.delivered, opened = excluded.opened, unique_opens = excluded.unique_opens,
      machine_opens = excluded.machine_opens, clicked = excluded.clicked, unique_clicks = excluded.unique_clicks,
      bounced = excluded.bounced, complained = excluded.complained, unsubscribed = excluded.unsubscribed
  ), changes AS (
    SELECT f.*, 1 AS sign FROM changed AS f
    UNION ALL SELECT k.*, -1 FROM known AS k JOIN changed AS f ON k.id = f.id AND k.position = f.position
  ), keyed AS MATERIALIZED (
    SELECT c.organization_id, c.workspace_id, c.at, d.dimension, d.key, sum(c.sign * c.accepted) AS accepted,
      sum(c.sign * c.sent) AS sent, sum(c.sign * c.delivered) AS delivered, sum(c.sign * c.opened) AS opened,
      sum(c.sign * c.unique_opens) AS unique_opens, sum(c.sign * c.machine_opens) AS machine_opens,
      sum(c.sign * c.clicked) AS clicked, sum(c.sign * c.unique_clicks) AS unique_clicks, sum(c.sign * c.bounced) AS bounced,
      sum(c.sign * c.complained) AS complained, sum(c.sign * c.unsubscribed) AS unsubscribed
    FROM changes AS c
    CROSS JOIN LATERAL (
      VALUES ('total', ''), ('domain', coalesce(c.domain, '')), ('sender', coalesce(c.sender, '')), ('template_id',
        coalesce(c.template_id::text, '')), ('campaign_id', coalesce(c.campaign_id::text, ''))
      UNION ALL SELECT DISTINCT 'tag', t.tag FROM unnest(CASE WHEN c.tags = '{}' THEN '{""}' ELSE c.tags END) AS t (tag)
    ) AS d (dimension, key)
    GROUP BY c.organization_id, c.workspace_id, c.at, d.dimension, d.key
  ), rolled AS (
    INSERT INTO analytics.email_rollups AS r (organization_id, dimension, grain, at, workspace_id, key, accepted, sent,
      delivered, opened, unique_opens, machine_opens, clicked, unique_clicks, bounced, complained, unsubscribed)
    SELECT k.organization_id, k.dimension, g.grain, analytics.start_of(g.grain, k.at) AS start, k.workspace_id, k.key,
      sum(k.accepted), sum(k.sent), sum(k.delivered), sum(k.opened), sum(k.unique_opens), sum(k.machine_opens), sum(k.clicked),
      sum(k.unique_clicks), sum(k.bounced), sum(k.complained), sum(k.unsubscribed)
    FROM keyed AS k CROSS JOIN unnest(enum_range(NULL::analytics.grain)) AS g (grain)
    GROUP BY k.organization_id, k.dimension, g.grain, start, k.workspace_id, k.key
    HAVING sum(k.accepted) <> 0 OR sum(k.sent) <> 0 OR sum(k.delivered) <> 0 OR sum(k.opened) <> 0 OR sum(k.unique_opens) <> 0
      OR sum(k.machine_opens) <> 0 OR sum(k.clicked) <> 0 OR sum(k.unique_clicks) <> 0 OR sum(k.bounced) <> 0
      OR sum(k.complained) <> 0 OR sum(k.unsubscribed) <> 0
    ON CONFLICT (organization_id, dimension, grain, at, workspace_id, key) DO UPDATE SET accepted = r.accepted + excluded.accepted,
      sent = r.sent + excluded.sent, delivered = r.delivered + excluded.delivered, opened = r.opened + excluded.opened,
      unique_opens = r.unique_opens + excluded.unique_opens, machine_opens = r.machine_opens + excluded.machine_opens,
      clicked = r.clicked + excluded.clicked, unique_clicks = r.unique_clicks + excluded.unique_clicks,
      bounced = r.bounced + excluded.bounced, complained = r.complained + excluded.complained,
      unsubscribed = r.unsubscribed + excluded.unsubscribed
  )
  SELECT count(*) INTO total FROM changed;
  RETURN total;
END $$;
