import type { BlockList } from 'node:net';
import { ROLES, type Role, type Scope } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';
import { emailNotVerified } from '@heliograph/users';

/** An authenticated API key, or the user of an access token. */
export interface Principal {
  /** Null for an access token. */
  keyId: string | null;
  /** Null for an API key. */
  user: { id: string; isVerified: boolean } | null;
  /** The name of the key, or the email address of the user. */
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
  /** The client's IP address; null if the connection is already closed. */
  clientAddress: string | null;
}

export type OriginOf = Pick<Tenant, 'keyId'> & Partial<Pick<Tenant, 'clientAddress'>>;

/** The origin of a message, stored with it: columns `key_id` and `client_address`. */
export interface MessageOrigin {
  key_id: string | null;
  client_address: string | null;
}

/** Null address: the message was sent by a campaign. */
export function originOf({ keyId, clientAddress = null }: OriginOf): MessageOrigin {
  return { key_id: keyId, client_address: clientAddress };
}

/** An authenticated API key. */
export type KeyPrincipal = Principal & { keyId: string };

/** The id of the key or of the user. */
export function callerIdOf({ keyId, user }: Pick<Principal, 'keyId' | 'user'>): string {
  return keyId ?? user?.id ?? '';
}

export function isUnrestricted(principal: Principal): boolean {
  return principal.scopes.size === 0;
}

/** Throws FORBIDDEN for a key without this scope, and EMAIL_NOT_VERIFIED for a user who may not send yet. */
export function assertScope(principal: Principal, scope: Scope): void {
  if (principal.user?.isVerified === false && scope.endsWith(':send')) throw emailNotVerified();
  if (isUnrestricted(principal) || principal.scopes.has(scope)) return;
  throw new AppError('FORBIDDEN', `The API key lacks the scope ${scope}. Use a key with this scope.`);
}

/** Throws FORBIDDEN for a key whose role may do less than this role. */
export function assertRole(principal: Principal, role: Role): void {
  if (ROLES.indexOf(principal.role) <= ROLES.indexOf(role)) return;
  throw new AppError('FORBIDDEN', `The role ${principal.role} may not do this. Use a key with the role ${role}.`);
}
