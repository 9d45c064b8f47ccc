import { AuditedKind } from '@heliograph/tenancy';
import type { Subscription } from '@heliograph/webhooks';

/** The audited fields. Static headers can contain secrets, so only their names are audited. */
export const WEBHOOK = new AuditedKind<Subscription>(
  'webhook',
  ({ id, organizationId, workspaceId }) => ({ id, organizationId, workspaceId }),
  ({ url, events, description, active, headers }) => ({
    url,
    events,
    description,
    active,
    headers: Object.keys(headers),
  }),
);
