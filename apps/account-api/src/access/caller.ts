import type { Actor, Workspace } from '@heliograph/tenancy';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import type { LiveSession } from '@heliograph/users';
import type { IdentifiedRequest } from '@heliograph/service-kit';

/** The authenticated caller and its role in the organization of the request. */
export interface Caller {
  actor: Actor;
  organizationId: string;
  role: Role;
  /** Workspace id of a bound API key; `null` for all other callers. */
  boundWorkspaceId: string | null;
}

/** The authenticated parties of a request. */
export interface Access {
  caller?: Caller;
  session?: LiveSession;
  workspace?: Workspace;
  /** The operator, who belongs to no organization. */
  operator?: Actor;
}

export interface AccessRequest extends IdentifiedRequest {
  access?: Access;
}

/** The data that the guard has determined about the caller. */
export const CurrentAccess = createParamDecorator(
  (_: unknown, context: ExecutionContext): Access => context.switchToHttp().getRequest<AccessRequest>().access ?? {},
);

function accessPart<K extends keyof Access>(name: K) {
  return createParamDecorator((_: unknown, context: ExecutionContext): NonNullable<Access[K]> => {
    const found = context.switchToHttp().getRequest<AccessRequest>().access?.[name];
    // If the data is missing, the route has the wrong access decorator, which is a programming error.
    if (found === undefined) throw new Error(`the access decorator of this route does not provide "${name}"`);
    return found as NonNullable<Access[K]>;
  })();
}

/** The caller, in the organization or workspace of the route. */
export const CurrentCaller = () => accessPart('caller');
/** The session of a `@RequireSession()` route. */
export const ActiveSession = () => accessPart('session');
/** The workspace that the path parameter names. */
export const CurrentWorkspace = () => accessPart('workspace');
