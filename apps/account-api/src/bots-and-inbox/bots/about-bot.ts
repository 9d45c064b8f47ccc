import type { BotKey } from '@heliograph/bot-catalog';
import type { Workspace } from '@heliograph/tenancy';

/** The bot that the path parameter names. */
export function botKey({ id, organizationId }: Workspace, publicId: string): BotKey {
  return { organizationId, workspaceId: id, publicId };
}

/** The organization and workspace of the audit entry. */
export function placeOf({ id, organizationId }: Workspace): { organizationId: string; workspaceId: string } {
  return { organizationId, workspaceId: id };
}
