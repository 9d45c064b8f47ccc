-- The current figures of chat-app messages, in the columns of chatapp_counted. Inbound messages count once they belong
-- to a workspace.
CREATE OR REPLACE FUNCTION analytics.current_chatapp(ids uuid[]) RETURNS SETOF analytics.chatapp_counted
LANGUAGE sql STABLE AS $$
  SELECT m.id, m.organization_id, m.workspace_id, analytics.start_of('quarter', m.created_at),
    (m.direction = 'outbound')::integer,
    (m.sent_at IS NOT NULL OR m.status IN ('sent', 'delivered', 'read'))::integer,
    (m.delivered_at IS NOT NULL OR m.status IN ('delivered', 'read'))::integer,
    (m.read_at IS NOT NULL OR m.status = 'read')::integer,
    (m.status = 'failed')::integer, (m.direction = 'inbound')::integer,
    CASE WHEN m.is_charged THEN coalesce(m.price, 0) ELSE 0 END::bigint
  FROM chatapp.messages AS m
  WHERE m.id = ANY (ids) AND m.organization_id IS NOT NULL AND m.workspace_id IS NOT NULL
$$;
