import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { actorOf, type Actor } from '@heliograph/tenancy';
import { AppError } from '@heliograph/errors';
import type { Response } from 'express';
import type { AuthenticatedRequest } from './key.guard';
import { callerIdOf } from './principal';

/** The authenticated API key or user as the actor of an audited write. */
export const KeyActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const http = context.switchToHttp();
  const request = http.getRequest<AuthenticatedRequest>();
  const { principal } = request;
  if (!principal) throw new AppError('UNAUTHENTICATED', 'Send an API key.');
  const kind = principal.keyId === null ? 'user' : 'key';
  return actorOf({ kind, id: callerIdOf(principal), name: principal.name }, request, http.getResponse<Response>());
});
