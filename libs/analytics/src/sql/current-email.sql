-- The current figures of email recipients, in the columns of email_counted. They count in the quarter hour in which the
-- email was accepted, even if it is opened later. Skipped recipients are not counted. An erased address keeps the
-- domain that was counted.
CREATE OR REPLACE FUNCTION analytics.current_email(ids uuid[]) RETURNS SETOF analytics.email_counted
LANGUAGE sql STABLE AS $$
  SELECT r.message_id, r.position, m.organization_id, m.workspace_id, analytics.start_of('quarter', m.created_at),
    CASE WHEN r.address LIKE 'erased:%' THEN coalesce(k.domain, '') ELSE coalesce(lower(substring(r.address FROM '@([^@]*)$')), '') END,
    m.from_address, m.template_id, m.campaign_id, m.tags,
    (r.state <> 'skipped')::integer, (r.state = 'sent')::integer, (r.outcome IS NOT DISTINCT FROM 'delivered')::integer,
    coalesce(e.opened, 0), coalesce(e.by_person, false)::integer, coalesce(e.by_machine, 0), coalesce(e.clicked, 0),
    (coalesce(e.clicked, 0) > 0)::integer, (r.outcome IS NOT DISTINCT FROM 'bounced')::integer,
    coalesce(e.complained, false)::integer, coalesce(e.unsubscribed, false)::integer
  FROM email.messages AS m
  JOIN email.recipients AS r ON r.message_id = m.id AND r.message_id = ANY (ids)
  LEFT JOIN analytics.email_counted AS k ON k.id = r.message_id AND k.position = r.position AND k.id = ANY (ids)
  LEFT JOIN (
    SELECT e.message_id, e.position,
      (count(*) FILTER (WHERE e.type = 'opened'))::integer AS opened,
      (count(*) FILTER (WHERE e.type = 'opened' AND e.reason IS NOT DISTINCT FROM 'machine'))::integer AS by_machine,
      bool_or(e.type = 'opened' AND e.reason IS DISTINCT FROM 'machine') AS by_person,
      (count(*) FILTER (WHERE e.type = 'clicked'))::integer AS clicked,
      bool_or(e.type = 'complained') AS complained, bool_or(e.type = 'unsubscribed') AS unsubscribed
    FROM email.events AS e WHERE e.message_id = ANY (ids) GROUP BY e.message_id, e.position
  ) AS e ON e.message_id = r.message_id AND e.position = r.position
  WHERE m.id = ANY (ids) AND m.organization_id IS NOT NULL AND m.workspace_id IS NOT NULL
$$;
