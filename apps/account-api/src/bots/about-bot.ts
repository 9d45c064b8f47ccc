import type { BotKey } from '@heliograph/bot-catalog';
import type { Workspace } from '@heliograph/tenancy';

/** The bot that a path names. */
export function botKey({ id, organizationId }: Workspace, publicId: string): BotKey {
  return { organizationId, workspaceId: id, publicId };
}

/** Where an audit entry belongs. */
export function placeOf({ id, organizationId }: Workspace): { organizationId: string; workspaceId: string } {
  return { organizationId, workspaceId: id };
}
