-- The current figures of conversations with bots, in the columns of bots_counted. Messages of the visitor count in the
-- quarter hour in which the conversation started.
CREATE OR REPLACE FUNCTION analytics.current_bots(ids uuid[]) RETURNS SETOF analytics.bots_counted
LANGUAGE sql STABLE AS $$
  SELECT c.id, c.organization_id, c.workspace_id, analytics.start_of('quarter', c.created_at), 1,
    (SELECT count(*) FROM bots.messages AS m WHERE m.conversation_id = c.id AND m.role = 'user')::integer,
    (c.handoff_requested_at IS NOT NULL)::integer,
    (SELECT count(*) FROM bots.submissions AS s WHERE s.conversation_id = c.id)::integer
  FROM bots.conversations AS c WHERE c.id = ANY (ids)
$$;
