import type { BlockList } from 'node:net';
import type { Role } from '@heliograph/contracts';

/** Who calls: a key, as it was found by its hash. */
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
  /** Null: any address. */
  allowedAddresses: BlockList | null;
}

/** A principal that passed the guard: its key belongs to an organization. */
export interface Tenant extends Principal {
  organizationId: string;
}

export function isUnrestricted(principal: Principal): boolean {
  return principal.scopes.size === 0;
}
