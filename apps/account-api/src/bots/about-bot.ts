import type { BotKey } from '@heliograph/bot-catalog';
import type { Workspace } from '@heliograph/tenancy';

/** The bot that the path parameter names. */
export function botKey({ id, organizationId }: Workspace, publicId: string): BotKey {
  return { organizationId, workspaceId: id, publicId };
}

/** Where the audit entry is recorded. */
export function placeOf({ id, organizationId }: Workspace): { organizationId: string; workspaceId: string } {
  return { organizationId, workspaceId: id };
}
