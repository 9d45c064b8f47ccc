import type { Subscription } from '@heliograph/webhooks';
import { AuditedKind } from '../unit-of-work/audited-kind';

/** The audit log contains no secrets; static headers can be secrets, so only their names are in it. */
export const WEBHOOK = new AuditedKind<Subscription>(
  'webhook',
  ({ id, organizationId, workspaceId }) => ({ id, organizationId, workspaceId }),
  ({ url, events, description, active, headers }) => ({
    ...{ url, events, description, active, headers: Object.keys(headers) },
  }),
);
