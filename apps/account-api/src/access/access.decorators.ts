import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiCookieAuth, ApiParam, ApiSecurity } from '@nestjs/swagger';
import { ACCESS } from '@heliograph/service-kit';
import type { Permission } from './permissions';

/** Which limit a call counts against. */
export type Limit = 'auth' | 'account' | 'stranger';

/** What a route asks of its caller. */
export type RouteAccess =
  | 'public'
  | { kind: 'session' }
  | { kind: 'caller' }
  | { kind: 'organization' | 'workspace'; permission: Permission; evenWhenLocked: boolean }
  | { kind: 'operator' };

export const LIMIT = 'heliograph:limit';

const setAccess = (access: RouteAccess) => SetMetadata(ACCESS, access);
const AcceptsSession = () => ApiCookieAuth('session');
const AcceptsKeyOrSession = () => applyDecorators(ApiSecurity('bearer'), ApiSecurity('apiKey'), AcceptsSession());

interface PermissionOptions {
  /** A write that a soft-locked workspace may still make: what closes doors, and what settles bills. */
  evenWhenLocked?: boolean;
}

/** A person with a session. */
export const RequireSession = () => applyDecorators(setAccess({ kind: 'session' }), AcceptsSession());

/** A session or an unrestricted key; the handler asks for what belongs to it. */
export const RequireCaller = () => applyDecorators(setAccess({ kind: 'caller' }), AcceptsKeyOrSession());

/** A session or a key whose role in its organization has this permission. */
export const RequirePermission = (permission: Permission, { evenWhenLocked = false }: PermissionOptions = {}) =>
  applyDecorators(setAccess({ kind: 'organization', permission, evenWhenLocked }), AcceptsKeyOrSession());

/** Like `RequirePermission`, in the organization of the workspace that the path's `:id` names. */
export const RequireWorkspacePermission = (
  permission: Permission,
  { evenWhenLocked = false }: PermissionOptions = {},
) =>
  applyDecorators(
    setAccess({ kind: 'workspace', permission, evenWhenLocked }),
    AcceptsKeyOrSession(),
    ApiParam({ name: 'id', schema: { type: 'string', format: 'uuid' } }),
  );

/** The platform operator's own credential. */
export const RequireOperator = () => applyDecorators(setAccess({ kind: 'operator' }), ApiSecurity('operator'));

/** The limit of this route; without it that of a key or session. */
export const RateLimitedAs = (limit: Limit) => SetMetadata(LIMIT, limit);
