import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { actorOf, type Actor } from '@heliograph/tenancy';
import type { Attempt, LiveSession, User } from '@heliograph/users';
import type { Response } from 'express';
import type { AccessRequest } from '../../access/caller';
import { attemptOf } from '../../access/http-client';

/** The user of the session, with the data that audited changes need. */
export interface AuthenticatedUser {
  user: User;
  session: LiveSession;
  /** The user as the actor of audit entries. */
  actor: Actor;
  attempt: Attempt;
}

/** The authenticated user. Only for routes with `@RequireSession()`. The user need not belong to an organization. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): AuthenticatedUser => {
  const http = context.switchToHttp();
  const request = http.getRequest<AccessRequest>();
  const session = request.access?.session;
  if (!session) throw new Error('this route lacks @RequireSession()');
  const { user } = session;
  const actor = actorOf({ kind: 'user', id: user.id, name: user.email }, request, http.getResponse<Response>());
  return { user, session, actor, attempt: attemptOf(request) };
});
