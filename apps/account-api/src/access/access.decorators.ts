import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiCookieAuth, ApiParam, ApiSecurity } from '@nestjs/swagger';
import type { ErrorCode } from '@heliograph/errors';
import { ACCESS, V1ApiErrors } from '@heliograph/service-kit';
import { AccountApiErrors, CALLER_ERRORS, OPERATOR_ERRORS } from '../http/api-errors';
import { isReadPermission, type Permission } from './permissions';

/** The rate limit that a request counts against. */
export type Limit = 'auth' | 'account' | 'credentials' | 'v1';

/** The caller that a route requires. */
export type RouteAccess =
  | 'public'
  | { kind: 'session'; evenUnverified: boolean }
  | { kind: 'caller' }
  | {
      kind: 'organization' | 'workspace';
      permission: Permission;
      evenWhenLocked: boolean;
      isV1?: boolean;
      boundKeys?: boolean;
    }
  | { kind: 'operator' };

export const LIMIT = 'heliograph:limit';

const setAccess = (access: RouteAccess) => SetMetadata(ACCESS, access);
const AcceptsSession = () => applyDecorators(ApiCookieAuth('session'), AccountApiErrors(...CALLER_ERRORS));
const AcceptsKeyOrSession = () => applyDecorators(ApiSecurity('bearer'), ApiSecurity('apiKey'), AcceptsSession());

interface PermissionOptions {
  /** Allows a write in a workspace that is locked for unpaid invoices. */
  evenWhenLocked?: boolean;
}

/** Requires a session. Writes require a verified email address too, except if `evenUnverified` is true. */
export const RequireSession = ({ evenUnverified = false }: { evenUnverified?: boolean } = {}) =>
  applyDecorators(setAccess({ kind: 'session', evenUnverified }), AcceptsSession());

/** Documents the error of users without a verified email address. */
const verifiedOnly = (permission: Permission): ErrorCode[] =>
  isReadPermission(permission) ? [] : ['EMAIL_NOT_VERIFIED'];

/** Requires a session or an unrestricted API key, of any organization. */
export const RequireCaller = () => applyDecorators(setAccess({ kind: 'caller' }), AcceptsKeyOrSession());

/** Requires a session or an API key whose role in the organization has this permission. */
export const RequirePermission = (permission: Permission, { evenWhenLocked = false }: PermissionOptions = {}) =>
  applyDecorators(
    setAccess({ kind: 'organization', permission, evenWhenLocked }),
    AcceptsKeyOrSession(),
    AccountApiErrors(...verifiedOnly(permission)),
  );

/** Like `RequirePermission`, in the organization of the workspace with the path parameter `:id`. */
export const RequireWorkspacePermission = (
  permission: Permission,
  { evenWhenLocked = false }: PermissionOptions = {},
) =>
  applyDecorators(
    setAccess({ kind: 'workspace', permission, evenWhenLocked }),
    AcceptsKeyOrSession(),
    ApiParam({ name: 'id', schema: { type: 'string', format: 'uuid' } }),
    AccountApiErrors('NOT_FOUND', ...verifiedOnly(permission)),
  );

/**
 * Like `RequirePermission`, for a route of the v1 API: with its rate limit and its error bodies. If `boundKeys` is
 * true, the route also accepts keys that are bound to a workspace, and restricts the results to this workspace.
 */
export const RequireV1Permission = (
  permission: Permission,
  { boundKeys = false, evenWhenLocked = false }: PermissionOptions & { boundKeys?: boolean } = {},
) =>
  applyDecorators(
    setAccess({ kind: 'organization', permission, evenWhenLocked, isV1: true, boundKeys }),
    ApiSecurity('bearer'),
    ApiSecurity('apiKey'),
    ApiCookieAuth('session'),
    V1ApiErrors(...CALLER_ERRORS, ...verifiedOnly(permission)),
  );

/** Requires the operator token. */
export const RequireOperator = () =>
  applyDecorators(setAccess({ kind: 'operator' }), ApiSecurity('operator'), AccountApiErrors(...OPERATOR_ERRORS));

/** Sets the rate limit of the route. The default is the limit of the API key or session. */
export const RateLimitedAs = (limit: Limit) => SetMetadata(LIMIT, limit);
