-- The current figures of chat-app messages, in the columns of chatapp_counted. Inbound messages count once they belong
-- to a workspace, at the provider's timestamp, which may be at most 30 days before the message arrives (rebuild.ts).
CREATE OR REPLACE FUNCTION analytics.current_chatapp(ids uuid[]) RETURNS SETOF analytics.chatapp_counted
LANGUAGE sql STABLE AS $$
  SELECT m.id, m.organization_id, m.workspace_id, analytics.start_of('quarter',
      least(greatest(coalesce(m.occurred_at, m.created_at), m.created_at - interval '30 days'), m.created_at)),
    (m.direction = 'outbound')::integer,
    (m.sent_at IS NOT NULL OR m.status IN ('sent', 'delivered', 'read'))::integer,
    (m.delivered_at IS NOT NULL OR m.status IN ('delivered', 'read'))::integer,
    (m.read_at IS NOT NULL OR m.status = 'read')::integer,
    (m.status = 'failed')::integer, (m.direction = 'inbound')::integer,
    CASE WHEN m.is_charged THEN coalesce(m.price, 0) ELSE 0 END::bigint
  FROM chatapp.messages AS m
  WHERE m.id = ANY (ids) AND m.organization_id IS NOT NULL AND m.workspace_id IS NOT NULL
$$;
