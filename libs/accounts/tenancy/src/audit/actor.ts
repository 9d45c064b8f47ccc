import { requestIdOf } from '@heliograph/service-kit';
import type { Request, Response } from 'express';
import type { Actor } from './audit-log';

/** Adds the origin of the request to the actor of a write. */
export function actorOf(who: Pick<Actor, 'kind' | 'id' | 'name'>, request: Request, response: Response): Actor {
  return {
    ...who,
    ipAddress: request.ip ?? null,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: requestIdOf(response),
  };
}
