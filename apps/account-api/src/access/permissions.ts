import type { Role } from '@heliograph/contracts';

const EVERYBODY: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];
const MEMBERS: readonly Role[] = ['owner', 'admin', 'member'];
const ADMINS: readonly Role[] = ['owner', 'admin'];

/** Who may do what: the one place that says so. Keys act with the role that they were made with. */
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
  // What visitors wrote, and who they are.
  'conversations:read': MEMBERS,
  'conversations:write': MEMBERS,
  'audit:read': ADMINS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export function mayDo(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role);
}

/** Nobody hands out more than they have: owners make owners, admins make anything below. */
export function mayGrant(granter: Role, granted: Role): boolean {
  return granter === 'owner' || granted !== 'owner';
}
