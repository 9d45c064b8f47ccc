import type { Mode } from '@heliograph/auth';
import { emailNotVerified, type User } from '@heliograph/users';
import type { Role } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';

const EVERYBODY: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];
const MEMBERS: readonly Role[] = ['owner', 'admin', 'member'];
const ADMINS: readonly Role[] = ['owner', 'admin'];

/** Permissions of each role. An API key has the role with which it was created. */
export const PERMISSIONS = {
  'organization:read': EVERYBODY,
  'organization:write': ADMINS,
  'workspaces:read': EVERYBODY,
  'workspaces:write': ADMINS,
  'members:read': EVERYBODY,
  'members:write': ADMINS,
  'keys:read': MEMBERS,
  'keys:write': ADMINS,
  'allowlist:read': ADMINS,
  'allowlist:write': ADMINS,
  'credits:read': EVERYBODY,
  'credits:write': ADMINS,
  'billing:read': ADMINS,
  'sms:read': EVERYBODY,
  'sms:write': MEMBERS,
  'email:read': EVERYBODY,
  'email:write': MEMBERS,
  'chatapp:read': EVERYBODY,
  'chatapp:write': MEMBERS,
  'bots:read': EVERYBODY,
  'bots:write': MEMBERS,
  // These permissions give access to messages and personal data of visitors.
  'conversations:read': MEMBERS,
  'conversations:write': MEMBERS,
  'messages:read': EVERYBODY,
  'contacts:read': EVERYBODY,
  'contacts:write': MEMBERS,
  'contacts:erase': ADMINS,
  'analytics:read': EVERYBODY,
  'reports:read': EVERYBODY,
  'reports:write': MEMBERS,
  'webhooks:read': EVERYBODY,
  'webhooks:write': ADMINS,
  // Bodies of refused calls can contain texts of messages.
  'requests:read': MEMBERS,
  'audit:read': ADMINS,
  'persons:erase': ADMINS,
  'test:read': EVERYBODY,
  'test:write': MEMBERS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export function hasPermission(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role);
}

/** What belongs to the live organization: its test twin has no members, allow-list and payments of its own. */
const LIVE_ONLY: ReadonlySet<Permission> = new Set([
  'organization:write',
  'workspaces:write',
  'members:read',
  'members:write',
  'allowlist:read',
  'allowlist:write',
  'billing:read',
]);

/** Throws FORBIDDEN in test mode for what belongs to the live organization. */
export function assertMode(mode: Mode, permission: Permission): void {
  if (mode === 'live' || !LIVE_ONLY.has(permission)) return;
  throw new AppError(
    'FORBIDDEN',
    `Test mode uses the settings of the live organization, so it has no ${permission}. Call this endpoint with a live key, or without the header Heliograph-Mode.`,
  );
}

/** Callers can grant at most their own role: owners grant every role, admins every role except owner. */
export function canGrantRole(granter: Role, granted: Role): boolean {
  return granter === 'owner' || granted !== 'owner';
}

/** Whether the permission only gives access to data. */
export function isReadPermission(permission: Permission): boolean {
  return permission.endsWith(':read');
}

/** Throws FORBIDDEN. */
export function assertPermission(role: Role, permission: Permission): void {
  if (hasPermission(role, permission)) return;
  throw new AppError('FORBIDDEN', `The role ${role} lacks the permission ${permission}. Ask an owner or admin.`);
}

/** Users without a verified email address only read. `user`: of a session. Throws EMAIL_NOT_VERIFIED. */
export function assertVerified(user: Pick<User, 'emailVerifiedAt'> | undefined): void {
  if (user?.emailVerifiedAt === null) throw emailNotVerified();
}

export function workspaceLocked(): AppError {
  return new AppError(
    'FORBIDDEN',
    'The workspace is locked for unpaid invoices and is read-only. Pay the open invoice first.',
  );
}
