import type { BlockList } from 'node:net';
import { ROLES, type Role, type Scope } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';

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

/** Throws FORBIDDEN for a key without this scope. */
export function assertScope(principal: Principal, scope: Scope): void {
  if (isUnrestricted(principal) || principal.scopes.has(scope)) return;
  throw new AppError('FORBIDDEN', `The API key lacks the scope ${scope}. Use a key with this scope.`);
}

/** Throws FORBIDDEN for a key whose role may do less than this role. */
export function assertRole(principal: Principal, role: Role): void {
  if (ROLES.indexOf(principal.role) <= ROLES.indexOf(role)) return;
  throw new AppError('FORBIDDEN', `The role ${principal.role} may not do this. Use a key with the role ${role}.`);
}
