import type { NextFunction, Response } from 'express';
import { loggablePath } from '@heliograph/errors';
import { discardUnreadBody } from '../body/discard-rest';
import type { IdentifiedRequest } from '../http/request.decorators';
import type { EndedRequests, RequestEnd } from './ended-requests';
import type { Logger } from './logger';
import { newRequestId } from './request-id';
import type { HttpMetrics } from './metrics';
import type { Tracing, TraceSpan } from './tracing';

const YEAR_SECONDS = 31_536_000;
/** Called by load balancers and Prometheus every few seconds. */
const UNLOGGED_PATH = /^\/(?:health\/|metrics(?:\?|$))/;

export interface RequestContextOptions {
  metrics: HttpMetrics;
  log: Logger;
  tracing: Tracing;
  ended: EndedRequests;
}

/**
 * Adds the headers of every response, counts the call, reports its end, and discards what remains of its body. X-Request-Id is that of
 * the caller if it is valid.
 * Strict-Transport-Security is sent over TLS only (RFC 6797, section 7.2), which a trusted proxy may terminate.
 */
export function requestContext({ metrics, log, tracing, ended }: RequestContextOptions) {
  const logsCalls = log.isLevelEnabled('info');
  return (request: IdentifiedRequest, response: Response, next: NextFunction): void => {
    const requestId = newRequestId(request);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Services have no TLS of their own, and the check of the trusted proxy is expensive.
    if (request.headers['x-forwarded-proto'] !== undefined && request.secure)
      response.setHeader('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    discardUnreadBody(request, response);
    const startedAt = performance.now();
    const span = tracing.isOn ? startSpan(tracing, request) : null;
    if (span !== null) {
      request.span = span;
      response.once('close', () => endSpan(span, request, response, requestId));
    }
    const end = (isAborted: boolean): void => {
      const seconds = (performance.now() - startedAt) / 1000;
      if (!isAborted) {
        metrics.observe({
          method: request.method,
          route: routeOf(request),
          status: response.statusCode,
          seconds,
          code: response.locals['errorCode'],
        });
      }
      if (UNLOGGED_PATH.test(request.originalUrl)) return;
      const path = loggablePath(request.originalUrl);
      const result = { requestId, path, seconds, traceId: span?.traceId, isAborted };
      if (logsCalls) logRequest(log, request, response, result);
      ended.report(request, response, result);
    };
    response.once('finish', () => end(false));
    response.once('close', () => {
      if (!response.writableFinished) end(true);
    });
    next();
  };
}

function logRequest(
  log: Logger,
  request: IdentifiedRequest,
  { statusCode: status }: Response,
  { requestId, path, seconds, traceId, isAborted }: RequestEnd,
): void {
  const { method, organizationId, workspaceId, keyId } = request;
  const ms = Math.round(seconds * 1000);
  const aborted = isAborted || undefined;
  // Undefined fields are not written.
  log.info({ requestId, traceId, method, path, status, ms, organizationId, workspaceId, keyId, aborted }, 'request');
}

/** Continues the trace of the caller. Health checks and metrics have none. */
function startSpan(tracing: Tracing, { headers, method, originalUrl }: IdentifiedRequest): TraceSpan | null {
  if (UNLOGGED_PATH.test(originalUrl)) return null;
  const { traceparent } = headers;
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  return tracing.start(method, { kind: 'server', parent, attributes: { 'http.request.method': method } });
}

function endSpan(
  span: TraceSpan,
  request: IdentifiedRequest,
  { statusCode: status }: Response,
  requestId: string,
): void {
  const { organizationId = '' } = request;
  const attributes = { 'http.response.status_code': status, 'http.route': routeOf(request) };
  const ids = { 'heliograph.request_id': requestId, 'heliograph.organization_id': organizationId };
  span.end({ ...attributes, ...ids }, status >= 500 ? `status ${status}` : undefined);
}

/** The path template of the route, such as `/sms/status`; a bounded set. */
function routeOf(request: IdentifiedRequest): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'none';
}
