import type { NextFunction, Request, Response } from 'express';
import { loggablePath } from '@heliograph/errors';
import { discardUnreadBody } from '../body/discard-rest';
import type { IdentifiedRequest } from '../http/request.decorators';
import type { Logger } from './logger';
import { newRequestId } from './request-id';
import type { HttpMetrics } from './metrics';
import type { Tracing, TraceSpan } from './tracing';

const YEAR_SECONDS = 31_536_000;
/** Called by load balancers and Prometheus every few seconds. */
const UNLOGGED_PATH = /^\/(?:health\/|metrics(?:\?|$))/;

/**
 * Adds the headers of every response, counts the call, logs it in one line, and discards what remains of its body. X-Request-Id is that of
 * the caller if it is valid.
 * Strict-Transport-Security is sent over TLS only (RFC 6797, section 7.2), which a trusted proxy may terminate.
 */
export function requestContext(metrics: HttpMetrics, log: Logger, tracing: Tracing) {
  const logsCalls = log.isLevelEnabled('info');
  return (request: Request, response: Response, next: NextFunction): void => {
    const requestId = newRequestId(request);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Services have no TLS of their own, and the check of the trusted proxy is expensive.
    if (request.headers['x-forwarded-proto'] !== undefined && request.secure)
      response.setHeader('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    discardUnreadBody(request, response);
    const startedAt = performance.now();
    const span = tracing.isOn ? startSpan(tracing, request) : null;
    response.once('finish', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.observe({
        method: request.method,
        route: routeOf(request),
        status: response.statusCode,
        seconds,
        code: response.locals['errorCode'],
      });
      if (logsCalls) logRequest(log, request, response, { requestId, seconds, traceId: span?.traceId });
    });
    response.once('close', () => {
      if (!logsCalls || response.writableFinished) return;
      const seconds = (performance.now() - startedAt) / 1000;
      logRequest(log, request, response, { requestId, seconds, traceId: span?.traceId, aborted: true });
    });
    if (span === null) next();
    else traceRequest(tracing, span, request, response, requestId).then(() => next(), next);
  };
}

interface EndedRequest {
  requestId: string;
  seconds: number;
  traceId: string | undefined;
  /** The connection was closed before the end of the response. */
  aborted?: true;
}

function logRequest(
  log: Logger,
  request: IdentifiedRequest,
  { statusCode: status }: Response,
  { requestId, seconds, traceId, aborted }: EndedRequest,
): void {
  const { originalUrl, method, organizationId, workspaceId, keyId } = request;
  if (UNLOGGED_PATH.test(originalUrl)) return;
  const path = loggablePath(originalUrl);
  const ms = Math.round(seconds * 1000);
  // Undefined fields are not written.
  log.info({ requestId, traceId, method, path, status, ms, organizationId, workspaceId, keyId, aborted }, 'request');
}

/** Continues the trace of the caller. Health checks and metrics have none. */
function startSpan(tracing: Tracing, { headers, method, originalUrl }: Request): TraceSpan | null {
  if (UNLOGGED_PATH.test(originalUrl)) return null;
  const { traceparent } = headers;
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  return tracing.start(method, { kind: 'server', parent, attributes: { 'http.request.method': method } });
}

/** Ends the span with the response. Resolves when other processes can continue the trace. */
async function traceRequest(
  tracing: Tracing,
  span: TraceSpan,
  request: IdentifiedRequest,
  response: Response,
  requestId: string,
): Promise<void> {
  response.once('close', () => {
    tracing.endRequest(requestId, span);
    const { statusCode: status } = response;
    const { organizationId = '' } = request;
    const attributes = { 'http.response.status_code': status, 'http.route': routeOf(request) };
    const ids = { 'heliograph.request_id': requestId, 'heliograph.organization_id': organizationId };
    span.end({ ...attributes, ...ids }, status >= 500 ? `status ${status}` : undefined);
  });
  // Without the database, the request is answered, and other processes do not continue its trace.
  await tracing.startRequest(requestId, span).catch(() => undefined);
}

/** The path template of the route, such as `/sms/status`; a bounded set. */
function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'none';
}
