import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { loggablePath } from '@heliograph/errors';
import { discardUnreadBody } from '../body/discard-rest';
import type { Logger } from './logger';
import type { HttpMetrics } from './metrics';

const YEAR_SECONDS = 31_536_000;
const VALID_ID = /^[\w.:@/+=-]{1,128}$/;

/**
 * Adds the headers of every response, counts and logs the call, and discards what remains of its body. X-Request-Id is that of the caller if it is valid.
 * Strict-Transport-Security is sent over TLS only (RFC 6797, section 7.2), which a trusted proxy may terminate.
 */
export function requestContext(metrics: HttpMetrics, log: Logger) {
  const logsCalls = log.isLevelEnabled('debug');
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && VALID_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Services have no TLS of their own, and the check of the trusted proxy is expensive.
    if (request.headers['x-forwarded-proto'] !== undefined && request.secure)
      response.setHeader('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    discardUnreadBody(request, response);
    const startedAt = performance.now();
    response.once('finish', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.observe({
        method: request.method,
        route: routeOf(request),
        status: response.statusCode,
        seconds,
        code: response.locals['errorCode'],
      });
      if (!logsCalls) return;
      log.debug(
        {
          requestId,
          method: request.method,
          path: loggablePath(request.originalUrl),
          status: response.statusCode,
          ms: Math.round(seconds * 1000),
        },
        'call',
      );
    });
    next();
  };
}

/** The path template of the route, such as `/sms/status`; a bounded set. */
function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'none';
}

/** The request id of a response, for events and log entries of the call. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader('X-Request-Id'));
}
