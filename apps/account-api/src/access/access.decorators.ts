import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiCookieAuth, ApiParam, ApiSecurity } from '@nestjs/swagger';
import { ACCESS } from '@heliograph/platform';
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

const mark = (access: RouteAccess) => SetMetadata(ACCESS, access);
const TakesSession = () => ApiCookieAuth('session');
const TakesKeyOrSession = () => applyDecorators(ApiSecurity('bearer'), ApiSecurity('apiKey'), TakesSession());

interface Exception {
  /** A write that a soft-locked workspace may still make: what closes doors, and what settles bills. */
  evenWhenLocked?: boolean;
}

/** A person with a session. */
export const RequireSession = () => applyDecorators(mark({ kind: 'session' }), TakesSession());

/** A session or an unrestricted key; the handler asks for what belongs to it. */
export const RequireCaller = () => applyDecorators(mark({ kind: 'caller' }), TakesKeyOrSession());

/** A session or a key whose role in its organization has this permission. */
export const InOrganization = (permission: Permission, { evenWhenLocked = false }: Exception = {}) =>
  applyDecorators(mark({ kind: 'organization', permission, evenWhenLocked }), TakesKeyOrSession());

/** As `InOrganization`, in the organization of the workspace that the path's `:id` names. */
export const OnWorkspace = (permission: Permission, { evenWhenLocked = false }: Exception = {}) =>
  applyDecorators(
    mark({ kind: 'workspace', permission, evenWhenLocked }),
    TakesKeyOrSession(),
    ApiParam({ name: 'id', schema: { type: 'string', format: 'uuid' } }),
  );

/** The platform operator's own credential. */
export const RequireOperator = () => applyDecorators(mark({ kind: 'operator' }), ApiSecurity('operator'));

/** The limit of this route; without it that of a key or session. */
export const CountedAs = (limit: Limit) => SetMetadata(LIMIT, limit);
