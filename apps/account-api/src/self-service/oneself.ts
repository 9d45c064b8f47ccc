import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '@heliograph/audit';
import type { Attempt, LiveSession, User } from '@heliograph/users';
import type { Response } from 'express';
import { actorOf } from '../access/authenticator';
import type { AccessRequest } from '../access/caller';
import { readCookie } from '../access/session-cookie';

/** A person who changes something of their own. */
export interface Oneself {
  user: User;
  session: LiveSession;
  /** As the audit log names the person. */
  actor: Actor;
  attempt: Attempt;
}

/** Only for routes with a session; who has one need not belong to any organization. */
export const AsOneself = createParamDecorator((_: unknown, context: ExecutionContext): Oneself => {
  const http = context.switchToHttp();
  const request = http.getRequest<AccessRequest>();
  const session = request.access?.session;
  if (!session) throw new Error('this route is marked for others than people');
  const { user } = session;
  const actor = actorOf({ kind: 'user', id: user.id, name: user.email }, request, http.getResponse<Response>());
  return { user, session, actor, attempt: attemptOf(request) };
});

export function attemptOf(request: AccessRequest): Attempt {
  return {
    from: { ipAddress: request.ip ?? null, userAgent: request.headers['user-agent'] ?? null },
    deviceToken: readCookie(request, 'device'),
  };
}
