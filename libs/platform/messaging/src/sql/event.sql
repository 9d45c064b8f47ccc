-- Composes an event, version 1, as `composeEvent()` does. PostgreSQL inlines the function into the calling statement.
CREATE OR REPLACE FUNCTION messaging.event(
  id uuid, type text, at text, organization_id uuid, workspace_id uuid, correlation_id text, data json) RETURNS json
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object('id', id, 'type', type, 'version', 1, 'time', at, 'organizationId', organization_id,
    'workspaceId', workspace_id, 'correlationId', correlation_id, 'data', data)
$$;
