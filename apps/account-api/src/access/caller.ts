import type { Actor } from '@heliograph/audit';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import type { Workspace } from '@heliograph/tenancy';
import type { LiveSession } from '@heliograph/users';
import type { Request } from 'express';

/** Who calls, and as what in the organization that the call is about. */
export interface Caller {
  actor: Actor;
  organizationId: string;
  role: Role;
  /** The one workspace of a bound key; null for everybody else. */
  boundTo: string | null;
}

/** What the guard found out about a call. */
export interface Access {
  caller?: Caller;
  session?: LiveSession;
  workspace?: Workspace;
  /** Of the operator, whose calls belong to no organization. */
  operator?: Actor;
}

export interface AccessRequest extends Request {
  access?: Access;
  /** The checked body. */
  asked?: object;
}

function part<K extends keyof Access>(name: K) {
  return createParamDecorator((_: unknown, context: ExecutionContext): NonNullable<Access[K]> => {
    const found = context.switchToHttp().getRequest<AccessRequest>().access?.[name];
    // The route's mark promises it: a route that asks for another part than it is marked for is a mistake of ours.
    if (found === undefined) throw new Error(`the access mark of this route gives no ${name}`);
    return found as NonNullable<Access[K]>;
  })();
}

/** The caller, within the organization or workspace of the route. */
export const ByCaller = () => part('caller');
/** The session of a route for people. */
export const OfSession = () => part('session');
/** The workspace that the path names. */
export const InWorkspace = () => part('workspace');
/** The platform operator, as the audit log names it. */
export const ByOperator = () => part('operator');
