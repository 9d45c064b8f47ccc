import type { BlockList } from 'node:net';
import type { Role } from '@heliograph/contracts';

/** An authenticated API key. */
export interface Principal {
  keyId: string;
  name: string;
  organizationId: string | null;
  workspaceId: string | null;
  scopes: ReadonlySet<string>;
  role: Role;
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
  /** Null if every address is allowed. */
  allowedAddresses: BlockList | null;
}

/** A principal that passed the guard; its key belongs to an organization. */
export interface Tenant extends Principal {
  organizationId: string;
}

export function isUnrestricted(principal: Principal): boolean {
  return principal.scopes.size === 0;
}
